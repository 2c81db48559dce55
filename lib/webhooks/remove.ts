import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { webhookIdOf } from "@/lib/webhooks/read";
import { openDeliveries } from "@/lib/webhooks/states";

/** Removes a webhook and ends what was still to be sent to it. Throws `webhook_not_found`. */
export async function removeWebhook(accountId: string, idText: string) {
  const id = webhookIdOf(idText);
  return forAccount(accountId, async (tx) => {
    const { count } = await tx.webhook.updateMany({
      where: { accountId, id, deletedAt: null },
      data: { deletedAt: new Date() },
    });
    if (count === 0) throw new AppError("webhook_not_found");
    await tx.delivery.updateMany({
      where: { accountId, webhookId: id, status: { in: [...openDeliveries] } },
      data: { status: "exhausted", nextAttemptAt: null },
    });
    return { message: "Webhook removido." };
  });
}
