import type { PixPayouts } from "@/lib/rails/pix/payouts";
import { railNamed } from "@/lib/rails/pix/rails";

/** How the rail of a withdrawal sends money. Throws where no rail of this name does. */
export function payoutsAt(provider: string): PixPayouts {
  const payouts = railNamed(provider)?.payouts;
  if (!payouts) throw new Error(`No rail that sends money is named ${provider}`);
  return payouts;
}
