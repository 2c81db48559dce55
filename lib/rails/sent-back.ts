import type { Accepted } from "@/lib/outside/calls";

/** The name of the watch over what is sent back over a rail of Pix, and of callbacks about it. */
export const SENT_BACK = "refund";

/**
 * Money that goes back to its payer: under way, there, under the provider's id of it where it has one, or not made, with the
 * provider's reason.
 */
export type SentBack =
  | Accepted
  | { status: "completed"; returnId: string | null }
  | { status: "failed"; reason: string | null };
