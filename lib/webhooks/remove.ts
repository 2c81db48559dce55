import { realNow } from "@/lib/clock";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { leadsTo, startsFrom } from "@/lib/states";
import { webhookIdOf } from "@/lib/webhooks/read";
import { deliveryTransitions } from "@/lib/webhooks/states";

/** Of a longer backlog a worker ends the rest (`lib/webhooks/deliver.ts`), or retention deletes it. */
const END_LIMIT = 20_000;

/** Removes a webhook and ends its open deliveries. Throws `webhook_not_found`. */
export async function removeWebhook(accountId: string, idText: string) {
  const id = webhookIdOf(idText);
  return forAccount(accountId, async (tx) => {
    const { count } = await tx.webhook.updateMany({
      where: { accountId, id, deletedAt: null },
      data: { deletedAt: realNow() },
    });
    if (count === 0) throw new AppError("webhook_not_found");
    await tx.delivery.updateMany({
      where: { accountId, webhookId: id, ...startsFrom(deliveryTransitions.exhaust) },
      data: { ...leadsTo(deliveryTransitions.exhaust), nextAttemptAt: null },
      limit: END_LIMIT,
    });
    return { message: "Webhook removido." };
  });
}
