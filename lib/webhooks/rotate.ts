import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newId, newSecret } from "@/lib/ids";
import { limits } from "@/lib/limits";
import { DAY_MS } from "@/lib/time/calendar";
import { isoOrNull, realNow } from "@/lib/time/clock";
import { tokenColumns } from "@/lib/webhooks/create";
import { databaseNow } from "@/lib/webhooks/database-now";
import { lockWebhook } from "@/lib/webhooks/lock";
import { presentWebhook } from "@/lib/webhooks/present";
import { webhookIdOf } from "@/lib/webhooks/read";
import type { RotatedSecret, RotateInput } from "@/lib/webhooks/schema";
import { secretOf } from "@/lib/webhooks/sign";
import type { Webhook } from "@/prisma/client/client";

/** How long a secret is still used after another took its place. */
const OVERLAP_MS = DAY_MS;

/**
 * Gives a webhook a new signing secret, which is shown only this once. The one before is still used for a day, and so is each that was
 * replaced earlier, to its own end: who lost the answer, or has not changed its receiver yet, rotates again and loses nothing.
 * With `immediately` none of them is used from now on. Throws `webhook_not_found` and `webhook_rotated_too_often`.
 */
export async function rotateSecret(
  { id: accountId }: Pick<AccountContext, "id">,
  { id: named, immediately }: RotateInput & { id: string },
  { idem }: Intent,
): Promise<RotatedSecret> {
  const id = webhookIdOf(named);
  return forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      const webhook = await lockWebhook(tx, accountId, id);
      if (!webhook || webhook.deletedAt) throw new AppError("webhook_not_found");
      const now = await databaseNow(tx);
      await forgetTokens(tx, webhook, immediately ? undefined : now);
      const previousTokenEndsAt = immediately ? null : new Date(now.getTime() + OVERLAP_MS);
      if (previousTokenEndsAt) await keepToken(tx, webhook, previousTokenEndsAt);
      const token = newSecret();
      const row = await tx.webhook.update({
        where: { accountId_id: { accountId, id } },
        data: { ...tokenColumns(accountId, token), previousTokenEndsAt, updatedAt: realNow() },
      });
      const [before, after] = [presentWebhook(webhook), presentWebhook(row)];
      await recordChange(tx, { accountId, subject: "webhook", id, verb: "updated", before, after });
      return { id, token, secret: secretOf(token), previous_token_expires_at: isoOrNull(previousTokenEndsAt) };
    }),
  );
}

async function keepToken(tx: Tx, { accountId, id: webhookId, sealedToken }: Webhook, endsAt: Date): Promise<void> {
  const count = await tx.webhookPreviousToken.count({ where: { accountId, webhookId } });
  if (count >= limits.previousTokens) throw new AppError("webhook_rotated_too_often");
  const data = { id: newId(), accountId, webhookId, sealedToken: new Uint8Array(sealedToken), endsAt };
  await tx.webhookPreviousToken.create({ data });
}

/** Forgets a webhook's former secrets: all, or those that ended by an instant. */
export async function forgetTokens(tx: Tx, { accountId, id: webhookId }: Pick<Webhook, "accountId" | "id">, by?: Date) {
  await tx.webhookPreviousToken.deleteMany({ where: { accountId, webhookId, ...(by && { endsAt: { lte: by } }) } });
}
