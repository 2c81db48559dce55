import type { AccountContext } from "@/lib/accounts/context";
import { noteRecorded } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { presentTracking } from "@/lib/tracking/read";
import type { TrackingToken } from "@/lib/tracking/schema";
import { trackingFor } from "@/lib/tracking/trackers";
import { encrypt } from "@/lib/vault/vault";

/** The context that the vault binds an account's encrypted token to. */
export const trackingContext = (accountId: string) => `tracking:${accountId}`;

/**
 * Saves the account's token of the external tracking service: from now on each created, paid, refused and refunded sale is
 * sent to it. A token that was saved before is replaced. Throws `tracking_not_configured` where there is no service.
 */
export async function saveToken({ id: accountId, mode }: AccountContext, { token }: TrackingToken, { idem }: Intent) {
  if (!trackingFor(mode)) throw new AppError("tracking_not_configured");
  return forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      const before = await tx.trackingIntegration.findUnique({ where: { accountId } });
      const sealedToken = new Uint8Array(encrypt(token, trackingContext(accountId)));
      const columns = { sealedToken, tokenLast4: token.slice(-4) };
      const { id } = await tx.trackingIntegration.upsert({
        where: { accountId },
        create: { accountId, id: newId(), ...columns },
        update: columns,
      });
      await recordChange(tx, {
        ...{ accountId, subject: "tracking", id, verb: before ? "updated" : "created" },
        ...(before && { before: { token_last4: before.tokenLast4 } }),
        after: { token_last4: columns.tokenLast4 },
      });
      return presentTracking(tx, accountId);
    }),
  );
}

/** Deactivates the integration: the token is gone, and what was not sent yet is not sent. Once more changes nothing. */
export const deactivateTracking = ({ id: accountId }: AccountContext, { idem }: Intent) =>
  forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      await removeTracking(tx, accountId);
      return presentTracking(tx, accountId);
    }),
  );

/** Ends the integration of an account in scope, if it has one. */
export async function removeTracking(tx: Tx, accountId: string): Promise<void> {
  const kept = await tx.trackingIntegration.findUnique({ where: { accountId } });
  if (!kept) return noteRecorded(); // nothing changes
  await tx.trackingIntegration.deleteMany({ where: { accountId } });
  const data = { nextAttemptAt: null, error: "deactivated" };
  await tx.trackingOrder.updateMany({ where: { accountId, nextAttemptAt: { not: null } }, data });
  const before = { token_last4: kept.tokenLast4 };
  await recordChange(tx, { accountId, subject: "tracking", id: kept.id, verb: "removed", before });
}
