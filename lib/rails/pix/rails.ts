import { connectedRail, connectedRails, defaultRail, payoutDefaultRail } from "@/lib/rails/pix/connected";
import type { DynamicCodes, PixRail } from "@/lib/rails/pix/port";
import { simulator } from "@/lib/rails/pix/simulator/adapter";
import type { Mode } from "@/prisma/client/enums";

type AccountOf = { mode: Mode; pixProvider: string | null };

/**
 * The rail of new codes of an account: of a live one the PSP that the staff chose for it, or the default, which is also for where
 * only the mode is known. Null where that is not connected. A sandbox has the simulator, whatever was chosen.
 */
export function railFor(of: Mode | AccountOf): PixRail | null {
  const { mode, pixProvider } = typeof of === "string" ? { mode: of, pixProvider: null } : of;
  if (mode === "sandbox") return simulator;
  return (pixProvider === null ? defaultRail() : connectedRail(pixProvider)) ?? null;
}

/**
 * The rail by which payouts of an account leave: of a live one the PSP that the staff chose for all payouts, and where none is, the
 * rail of its codes. Null where that is not connected.
 */
export const payoutRailFor = (account: AccountOf): PixRail | null =>
  (account.mode === "live" && payoutDefaultRail()) || railFor(account);

/** Of which accounts a rail moves the money. */
export const modeOf = (provider: string): Mode => (provider === simulator.provider ? "sandbox" : "live");

/** The rail of a callback, a call or a watch. Null for an unknown name. */
export const railNamed = (provider: string): PixRail | null =>
  provider === simulator.provider ? simulator : (connectedRail(provider) ?? null);

/** The rail of a call for a code. Throws where no rail of this name makes its codes itself. */
export function codesOf(provider: string): PixRail & DynamicCodes {
  const rail = railNamed(provider);
  if (!rail?.requestCode) throw new Error(`No rail that makes codes is named ${provider}`);
  return rail;
}

export const everyRail = (): PixRail[] => [simulator, ...connectedRails()];
