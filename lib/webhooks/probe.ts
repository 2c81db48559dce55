import { asSystem, forAccount } from "@/lib/db";
import { enqueueAll } from "@/lib/jobs/enqueue";
import { sweep } from "@/lib/sweep";
import { lockWebhook } from "@/lib/webhooks/lock";
import { jobOf } from "@/lib/webhooks/queue";
import { BACKLOG_MS, PROBE_WAIT_MS } from "@/lib/webhooks/schedule";
import { openDeliveries } from "@/lib/webhooks/states";

type Due = { id: number; accountId: string };

/**
 * Sweep: tries each disabled webhook once a day with the oldest delivery that waits for it and is still kept; success
 * turns the webhook on (`lib/webhooks/record.ts`). Where nothing waits, what comes next is tried. Returns how many were
 * due.
 */
export const probeWebhooks = (at = new Date()) => sweep(findDue(at), (due) => probe(due, at));

const findDue = (at: Date) => (most: number, but: number[]) =>
  asSystem(
    (tx) => tx.$queryRaw<Due[]>`
      select w.id, w.account_id as "accountId" from webhooks w
      where w.next_probe_at <= ${at} and w.deleted_at is null and w.id <> all(${but}::int[]) and exists (
        select from deliveries d where d.account_id = w.account_id and d.webhook_id = w.id
          and d.status in ('pending', 'failed') and d.created_at >= ${keptSince(at)}
      )
      order by w.next_probe_at limit ${most}`,
  );

const keptSince = (at: Date) => new Date(at.getTime() - BACKLOG_MS);

function probe({ id, accountId }: Due, at: Date) {
  return forAccount(accountId, async (tx) => {
    const webhook = await lockWebhook(tx, accountId, id);
    if (!webhook?.nextProbeAt || webhook.nextProbeAt > at || webhook.deletedAt) return;
    const first = await tx.delivery.findFirst({
      where: { accountId, webhookId: id, status: { in: [...openDeliveries] }, createdAt: { gte: keptSince(at) } },
      orderBy: { id: "asc" },
    });
    if (!first) return;
    const nextProbeAt = new Date(at.getTime() + PROBE_WAIT_MS);
    await tx.webhook.update({ where: { accountId_id: { accountId, id } }, data: { nextProbeAt } });
    const where = { accountId_id: { accountId, id: first.id } };
    const delivery = await tx.delivery.update({ where, data: { nextAttemptAt: at } });
    await enqueueAll(tx, "webhooks.deliver", [jobOf(delivery, { rank: 1 })]);
  });
}
