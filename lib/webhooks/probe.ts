import { asSystem, forAccount } from "@/lib/db";
import { sweep } from "@/lib/sweep";
import { notifyDue } from "@/lib/webhooks/due";
import { lockWebhook } from "@/lib/webhooks/lock";
import { databaseNow } from "@/lib/webhooks/now";
import { BACKLOG_MS, PROBE_WAIT_MS } from "@/lib/webhooks/schedule";
import { openDeliveries } from "@/lib/webhooks/states";

type DueProbe = { id: string; accountId: string; webhookId: number };

/**
 * Sweep: tries each disabled webhook once a day with its oldest waiting delivery that is still kept. A success enables
 * the webhook (`lib/webhooks/record.ts`). A webhook for which nothing waits is tried with its next delivery. Returns
 * how many webhooks were due.
 */
export const probeWebhooks = () => sweep(findDue, probe);

const findDue = (limit: number, except: string[]) =>
  asSystem(
    (tx) => tx.$queryRaw<DueProbe[]>`
      select w.account_id || ' ' || w.id as id, w.account_id as "accountId", w.id as "webhookId" from webhooks w
      where w.next_probe_at <= now() and w.deleted_at is null and w.account_id || ' ' || w.id <> all(${except}::text[])
        and exists (
          select from deliveries d where d.account_id = w.account_id and d.webhook_id = w.id
            and d.status in ('pending', 'failed') and d.created_at >= now() - ${BACKLOG_MS} * interval '1 millisecond'
        )
      order by w.next_probe_at limit ${limit}`,
  );

async function probe({ accountId, webhookId: id }: DueProbe) {
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
