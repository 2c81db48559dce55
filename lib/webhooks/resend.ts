import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Idem, once } from "@/lib/http/idempotency";
import { enqueueAll } from "@/lib/jobs/enqueue";
import { presentDelivery } from "@/lib/webhooks/present";
import { jobOf } from "@/lib/webhooks/queue";
import { attemptsOf, findWebhook } from "@/lib/webhooks/read";

/**
 * Sends a delivery again, whatever became of it, also to a disabled endpoint: the same event id, a new attempt. It
 * takes the place of a retry that was already planned. Throws `webhook_not_found`, `delivery_not_found`.
 */
export async function resendDelivery(accountId: string, idText: string, deliveryId: string, idem?: Idem) {
  return forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      const webhook = await findWebhook(tx, accountId, idText);
      const [delivery] = await tx.delivery.updateManyAndReturn({
        where: { accountId, id: deliveryId, webhookId: webhook.id },
        data: { status: "pending", nextAttemptAt: new Date(), url: webhook.url },
      });
      if (!delivery) throw new AppError("delivery_not_found");
      await enqueueAll(tx, "webhooks.deliver", [jobOf(delivery, { rank: 1 })]);
      return { data: presentDelivery(delivery, await attemptsOf(tx, accountId, [delivery.id])) };
    }),
  );
}
