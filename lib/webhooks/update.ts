import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { wake } from "@/lib/due/wake";
import { AppError } from "@/lib/errors";
import { newSecret } from "@/lib/ids";
import { assertUrlAllowed } from "@/lib/receivers/url";
import { realNow } from "@/lib/time/clock";
import { tokenColumns } from "@/lib/webhooks/create";
import { databaseNow } from "@/lib/webhooks/database-now";
import { lockWebhook } from "@/lib/webhooks/lock";
import { presentCreated, presentWebhook } from "@/lib/webhooks/present";
import { webhookIdOf } from "@/lib/webhooks/read";
import { reenableWebhook } from "@/lib/webhooks/reenable";
import { forgetTokens } from "@/lib/webhooks/rotate";
import type { ChangedWebhook, WebhookChange } from "@/lib/webhooks/schema";
import { isOtherOrigin } from "@/lib/webhooks/states";

/**
 * Changes the members that were given. Saving a disabled webhook enables it and sends what waited for it. Open
 * deliveries go to the new address. A webhook that moves to another origin gets a new signing secret at once, which the
 * answer shows: cash deliveries carry the secret itself, so whoever may move a webhook could otherwise read the secret
 * that its former receiver trusts. Throws `webhook_not_found`, `webhook_url_not_allowed`.
 */
export async function updateWebhook(
  { id: accountId, mode }: AccountContext,
  input: WebhookChange & { id: string },
): Promise<ChangedWebhook> {
  const { id: idText, ...change } = input;
  const id = webhookIdOf(idText);
  if (change.url !== undefined) await assertUrlAllowed(change.url, mode);
  const changed = await forAccount(accountId, async (tx) => {
    const webhook = await lockWebhook(tx, accountId, id);
    if (!webhook || webhook.deletedAt) throw new AppError("webhook_not_found");
    const token = isOtherOrigin(webhook.url, change.url ?? webhook.url) ? newSecret() : null;
    if (token) await forgetTokens(tx, webhook);
    const row = await tx.webhook.update({
      where: { accountId_id: { accountId, id } },
      data: {
        ...(change.title !== undefined && { title: change.title }),
        ...(change.url !== undefined && { url: change.url }),
        ...(change.event !== undefined && { event: change.event }),
        ...(change.trigger_all_products !== undefined && { triggerAllProducts: change.trigger_all_products }),
        ...(change.products !== undefined && { products: change.products }),
        ...(token && { ...tokenColumns(accountId, token), previousTokenEndsAt: null }),
        updatedAt: realNow(),
      },
    });
    const saved = row.disabledAt ? await reenableWebhook(tx, row, await databaseNow(tx)) : row;
    const [before, after] = [presentWebhook(webhook), presentWebhook(saved)];
    await recordChange(tx, { accountId, subject: "webhook", id, verb: "updated", before, after });
    return token ? presentCreated(saved, token) : after;
  });
  wake("deliveries");
  return changed;
}
