import type { AccountContext } from "@/lib/accounts/context";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { presentWebhook } from "@/lib/webhooks/present";
import { webhookIdOf } from "@/lib/webhooks/read";
import type { WebhookChange } from "@/lib/webhooks/schema";
import { assertUrlAllowed } from "@/lib/webhooks/url";
import { wakeWebhook } from "@/lib/webhooks/wake";

/**
 * Changes the members that were given. Saving a disabled webhook turns it on again and sends what waited for it.
 * Deliveries not yet made go to the new address. Throws `webhook_not_found`, `webhook_url_not_allowed`.
 */
export async function updateWebhook({ id: accountId, mode }: AccountContext, idText: string, change: WebhookChange) {
  const id = webhookIdOf(idText);
  if (change.url !== undefined) await assertUrlAllowed(change.url, mode);
  return forAccount(accountId, async (tx) => {
    const [row] = await tx.webhook.updateManyAndReturn({
      where: { accountId, id, deletedAt: null },
      data: {
        ...(change.title !== undefined && { title: change.title }),
        ...(change.url !== undefined && { url: change.url }),
        ...(change.event !== undefined && { event: change.event }),
        ...(change.trigger_all_products !== undefined && { triggerAllProducts: change.trigger_all_products }),
        ...(change.products !== undefined && { products: change.products }),
        updatedAt: new Date(),
      },
    });
    if (!row) throw new AppError("webhook_not_found");
    return presentWebhook(row.disabledAt ? await wakeWebhook(tx, row, new Date()) : row);
  });
}
