import type { Tx } from "@/lib/db";
import { enqueueDelivery } from "@/lib/webhooks/queue";
import { BACKLOG_MS, PROBE_WAIT_MS } from "@/lib/webhooks/schedule";
import { openDeliveries } from "@/lib/webhooks/states";
import type { Webhook } from "@/prisma/client/client";

const isOpen = { in: [...openDeliveries] };

/**
 * Turns a webhook on again, its failures forgiven, and sends what waited for it; what waited for more than 14 days is
 * ended. A delivery that is open and has no next attempt is one that waits. The caller holds the webhook's lock.
 */
export async function wakeWebhook(tx: Tx, { accountId, id }: Webhook, at: Date): Promise<Webhook> {
  const row = await tx.webhook.update({
    where: { accountId_id: { accountId, id } },
    data: { disabledAt: null, failuresInRow: 0, failingSince: null },
  });
  const waiting = { accountId, webhookId: id, status: isOpen, nextAttemptAt: null };
  const oldest = new Date(at.getTime() - BACKLOG_MS);
  await tx.delivery.updateMany({ where: { ...waiting, createdAt: { lt: oldest } }, data: { status: "exhausted" } });
  const woken = await tx.delivery.updateManyAndReturn({ where: waiting, data: { nextAttemptAt: at } });
  for (const delivery of woken) await enqueueDelivery(tx, delivery);
  return row;
}

/**
 * Turns a webhook off: what was to be sent to it waits. With `probe`, one of those is tried again once a day, and its
 * success turns the webhook on. The caller holds the webhook's lock.
 */
export async function disableWebhook(tx: Tx, { accountId, id }: Webhook, at: Date, { probe }: { probe: boolean }) {
  await tx.webhook.update({ where: { accountId_id: { accountId, id } }, data: { disabledAt: at } });
  const open = { accountId, webhookId: id, status: isOpen };
  await tx.delivery.updateMany({ where: open, data: { nextAttemptAt: null } });
  const first = probe ? await tx.delivery.findFirst({ where: open, orderBy: { id: "asc" } }) : null;
  if (!first) return;
  const probing = await tx.delivery.update({
    where: { accountId_id: { accountId, id: first.id } },
    data: { nextAttemptAt: new Date(at.getTime() + PROBE_WAIT_MS) },
  });
  await enqueueDelivery(tx, probing);
}
