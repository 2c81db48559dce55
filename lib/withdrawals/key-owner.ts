import type { AccountContext } from "@/lib/accounts/context";
import { AppError } from "@/lib/errors";
import { maskDocument } from "@/lib/privacy/mask";
import type { PixKey, PixPayouts } from "@/lib/rails/pix/payouts";
import { payoutRailFor } from "@/lib/rails/pix/rails";
import { giveBackSlot, spendSlot } from "@/lib/rate-limits/spend-slot";
import { refuseWithoutRail } from "@/lib/sellers/refuse-without-rail";
import type { KeyOwnerQuery } from "@/lib/withdrawals/schema";

/** The rail of payouts of an account. Throws `rail_not_configured` where none is, and tells the staff. */
export async function payoutsOf(account: AccountContext): Promise<{ provider: string; payouts: PixPayouts }> {
  const rail = payoutRailFor(account);
  if (!rail?.payouts) return refuseWithoutRail(account, "payout");
  return { provider: rail.provider, payouts: rail.payouts };
}

/**
 * Who has a key, by the directory of all keys; null where it is nobody's, undefined where the rail tells nobody. Throws
 * `rail_unavailable`.
 */
export const lookUpOwner = async (payouts: PixPayouts, asked: PixKey & { document?: string }) =>
  payouts.lookUpKey?.(asked).catch((cause) => {
    throw new AppError("rail_unavailable", { cause });
  });

/** Spends one of the look-ups that an account has in a minute and in an hour. Throws `rate_limit_exceeded`. */
export async function spendLookUp(accountId: string): Promise<void> {
  await spendSlot("key-lookup-hour", accountId);
  await spendSlot("key-lookup", accountId);
}

/** Gives back a look-up by which nobody learned whose a key is. */
export async function giveBackLookUp(accountId: string): Promise<void> {
  await giveBackSlot("key-lookup-hour", accountId);
  await giveBackSlot("key-lookup", accountId);
}

/**
 * Whose a key is: the name and the masked document, each null where the rail tells nobody. Throws `pix_key_not_found`,
 * `rate_limit_exceeded`, `rail_not_configured` and `rail_unavailable`.
 */
export async function readKeyOwner(account: AccountContext, { type, key }: KeyOwnerQuery) {
  const { payouts } = await payoutsOf(account);
  await spendLookUp(account.id);
  const owner = await lookUpOwner(payouts, { type, key });
  if (owner === null) throw new AppError("pix_key_not_found");
  return { data: { type, key, name: owner?.name ?? null, document: owner ? maskDocument(owner.document) : null } };
}

/** Whether a document that the rail may have masked can be this one. */
export const mayBe = (told: string, document: string) => {
  const signs = told.replace(/[^0-9A-Z*]/gi, "").toUpperCase();
  return signs.length === document.length && [...signs].every((sign, at) => sign === "*" || sign === document[at]);
};
