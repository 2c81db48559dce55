import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { leadsTo, startsFrom } from "@/lib/states";
import { realNow } from "@/lib/time/clock";
import { presentWebhook } from "@/lib/webhooks/present";
import { webhookIdOf } from "@/lib/webhooks/read";
import { forgetTokens } from "@/lib/webhooks/rotate";
import { deliveryTransitions } from "@/lib/webhooks/states";

/** Of a longer backlog a worker ends the rest (`lib/webhooks/deliver.ts`), or retention deletes it. */
const END_LIMIT = 20_000;

/** Removes a webhook and ends its open deliveries. Throws `webhook_not_found`. */
export async function removeWebhook({ id: accountId }: Pick<AccountContext, "id">, input: { id: string }) {
  const id = webhookIdOf(input.id);
  return forAccount(accountId, async (tx) => {
    if ((await remove(tx, accountId, { id })) === 0) throw new AppError("webhook_not_found");
    return { message: "Webhook removido." };
  });
}

/** Removes every webhook of an account that is closed, and ends their open deliveries. */
export const removeAll = (tx: Tx, accountId: string) => remove(tx, accountId, {});

async function remove(tx: Tx, accountId: string, which: { id?: number }): Promise<number> {
  const removed = await tx.webhook.updateManyAndReturn({
    where: { accountId, ...which, deletedAt: null },
    data: { deletedAt: realNow() },
  });
  for (const webhook of removed) {
    const { id } = webhook;
    await forgetTokens(tx, webhook);
    await recordChange(tx, { accountId, subject: "webhook", id, verb: "removed", before: presentWebhook(webhook) });
    await tx.delivery.updateMany({
      where: { accountId, webhookId: id, ...startsFrom(deliveryTransitions.exhaust) },
      data: { ...leadsTo(deliveryTransitions.exhaust), nextAttemptAt: null },
      limit: END_LIMIT,
    });
  }
  return removed.length;
}
