import { asSystem, forAccount, isLockTimeout } from "@/lib/db";
import { locked } from "@/lib/due/find";
import { wake } from "@/lib/due/wake";
import { log } from "@/lib/log";
import { databaseNow } from "@/lib/webhooks/database-now";
import { lockWebhookSoon } from "@/lib/webhooks/lock";
import { BACKLOG_MS, PROBE_WAIT_MS } from "@/lib/webhooks/schedule";
import { openDeliveries } from "@/lib/webhooks/states";

type DueProbe = { accountId: string; webhookId: number };

/** How many webhooks one run tries. */
const BATCH = 100;

/**
 * Loop: tries each disabled webhook once a day with its oldest waiting delivery that is still kept. A success enables
 * the webhook (`lib/webhooks/record.ts`). A webhook for which nothing waits is tried with its next delivery. One that
 * fails does not stop the others. Returns whether more may be due.
 */
export async function probeWebhooks(): Promise<boolean> {
  const due = await findDue();
  let tried = 0;
  for (const one of due) {
    await probe(one).then(
      () => (tried += 1),
      (error) => {
        if (!isLockTimeout(error)) log.error({ ...one, error }, "a webhook could not be tried");
      },
    );
  }
  if (tried > 0) wake("deliveries");
  return tried === BATCH;
}

/** Without those whose rows are held just now. */
const findDue = () => asSystem((tx) => tx.$queryRawUnsafe<DueProbe[]>(DUE, BACKLOG_MS));

const DUE = locked(`select w.account_id as "accountId", w.id as "webhookId" from webhooks w
      where w.next_probe_at <= now() and w.deleted_at is null and exists (
        select from deliveries d where d.account_id = w.account_id and d.webhook_id = w.id
          and d.status in ('pending', 'failed') and d.created_at >= now() - $1::float8 * interval '1 millisecond'
      )
      order by w.next_probe_at limit ${BATCH}`);

async function probe({ accountId, webhookId: id }: DueProbe) {
  await forAccount(accountId, async (tx) => {
    const webhook = await lockWebhookSoon(tx, accountId, id);
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
}
