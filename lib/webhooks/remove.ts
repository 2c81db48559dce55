import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { leadsTo, startsFrom } from "@/lib/states";
import { realNow } from "@/lib/time/clock";
import { presentWebhook } from "@/lib/webhooks/present";
import { webhookIdOf } from "@/lib/webhooks/read";
import { deliveryTransitions } from "@/lib/webhooks/states";

/** Of a longer backlog a worker ends the rest (`lib/webhooks/deliver.ts`), or retention deletes it. */
const END_LIMIT = 20_000;

/** Removes a webhook and ends its open deliveries. Throws `webhook_not_found`. */
export async function removeWebhook({ id: accountId }: Pick<AccountContext, "id">, input: { id: string }) {
  const id = webhookIdOf(input.id);
  return forAccount(accountId, async (tx) => {
    const [webhook] = await tx.webhook.updateManyAndReturn({
      where: { accountId, id, deletedAt: null },
      data: { deletedAt: realNow() },
    });
    if (!webhook) throw new AppError("webhook_not_found");
    await recordChange(tx, { accountId, subject: "webhook", id, verb: "removed", before: presentWebhook(webhook) });
    await tx.delivery.updateMany({
      where: { accountId, webhookId: id, ...startsFrom(deliveryTransitions.exhaust) },
      data: { ...leadsTo(deliveryTransitions.exhaust), nextAttemptAt: null },
      limit: END_LIMIT,
    });
    return { message: "Webhook removido." };
  });
}
