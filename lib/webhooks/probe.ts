import { asSystem, forAccount } from "@/lib/db";
import { sweep } from "@/lib/sweep";
import { notifyDue } from "@/lib/webhooks/due";
import { lockWebhook } from "@/lib/webhooks/lock";
import { databaseNow } from "@/lib/webhooks/now";
import { BACKLOG_MS, PROBE_WAIT_MS } from "@/lib/webhooks/schedule";
import { openDeliveries } from "@/lib/webhooks/states";

type Due = { id: string; accountId: string; webhookId: number };

/**
 * Sweep: tries each disabled webhook once a day with the oldest delivery that waits for it and is still kept; success
 * turns the webhook on (`lib/webhooks/record.ts`). Where nothing waits, what comes next is tried. Returns how many were
 * due.
 */
export const probeWebhooks = () => sweep(findDue, probe);

const findDue = (most: number, but: string[]) =>
  asSystem(
    (tx) => tx.$queryRaw<Due[]>`
      select w.account_id || ' ' || w.id as id, w.account_id as "accountId", w.id as "webhookId" from webhooks w
      where w.next_probe_at <= now() and w.deleted_at is null and w.account_id || ' ' || w.id <> all(${but}::text[])
        and exists (
          select from deliveries d where d.account_id = w.account_id and d.webhook_id = w.id
            and d.status in ('pending', 'failed') and d.created_at >= now() - ${BACKLOG_MS} * interval '1 millisecond'
        )
      order by w.next_probe_at limit ${most}`,
  );

async function probe({ accountId, webhookId: id }: Due) {
  await forAccount(accountId, async (tx) => {
    const webhook = await lockWebhook(tx, accountId, id);
    const at = await databaseNow(tx);
    if (!webhook?.nextProbeAt || webhook.nextProbeAt > at || webhook.deletedAt) return;
    const createdAt = { gte: new Date(at.getTime() - BACKLOG_MS) };
    const first = await tx.delivery.findFirst({
      where: { accountId, webhookId: id, status: { in: [...openDeliveries] }, createdAt },
      orderBy: { id: "asc" },
    });
    if (!first) return;
    const nextProbeAt = new Date(at.getTime() + PROBE_WAIT_MS);
    await tx.webhook.update({ where: { accountId_id: { accountId, id } }, data: { nextProbeAt } });
    await tx.delivery.update({ where: { accountId_id: { accountId, id: first.id } }, data: { nextAttemptAt: at } });
  });
  notifyDue();
}
