import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { wake } from "@/lib/due/wake";
import { AppError } from "@/lib/errors";
import { type Idem, once } from "@/lib/idempotency";
import { leadsTo, startsFrom } from "@/lib/states";
import { databaseNow } from "@/lib/webhooks/database-now";
import { findWebhook, presentDeliveries } from "@/lib/webhooks/read";
import { deliveryTransitions } from "@/lib/webhooks/states";

/**
 * Plans a new attempt at a delivery, with the same event id, whatever its status and even if its webhook is disabled.
 * It replaces a retry that was planned. Throws `webhook_not_found`, `delivery_not_found`.
 */
export async function resendDelivery(accountId: string, idText: string, deliveryId: string, idem?: Idem) {
  const answer = await forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      const webhook = await findWebhook(tx, accountId, idText);
      const deliveries = await tx.delivery.updateManyAndReturn({
        where: { accountId, id: deliveryId, webhookId: webhook.id, ...startsFrom(deliveryTransitions.resend) },
        data: { ...leadsTo(deliveryTransitions.resend), nextAttemptAt: await databaseNow(tx), url: webhook.url },
      });
      const [data] = await presentDeliveries(tx, accountId, deliveries);
      if (!data) throw new AppError("delivery_not_found");
      const after = { event: data.event, event_id: data.event_id, url: data.url };
      await recordChange(tx, { accountId, subject: "delivery", id: deliveryId, verb: "resent", after });
      return { data };
    }),
  );
  wake("deliveries");
  return answer;
}
