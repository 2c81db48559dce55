import { z } from "zod";
import { forAccount, type Tx } from "@/lib/db";
import type { EventType } from "@/lib/events";
import { newId } from "@/lib/ids";
import type { Jobs } from "@/lib/jobs/enqueue";
import { callbackHearingOf, type Hearing, hearingOf, registrationsFor } from "@/lib/webhooks/matches";
import { enqueueDelivery } from "@/lib/webhooks/queue";
import { BACKLOG_MS } from "@/lib/webhooks/schedule";
import type { Transaction, Webhook } from "@/prisma/client/client";

/** What `transactions.callback` holds. */
const Callback = z.object({ url: z.string() });

/**
 * The `webhooks.dispatch` job: one delivery for each receiver of an event, and a job for each, in one transaction.
 * Run again it finds its deliveries made (the index `deliveries_once`) and does nothing. Those for a disabled webhook wait until it is on again.
 */
export async function dispatchEvent({ accountId, eventId }: Jobs["webhooks.dispatch"]): Promise<void> {
  await forAccount(accountId, async (tx) => {
    const event = await tx.event.findUniqueOrThrow({ where: { accountId_id: { accountId, id: eventId } } });
    const type = event.type as EventType;
    const sale = await tx.transaction.findUniqueOrThrow({
      where: { accountId_id: { accountId, id: event.subjectId } },
    });
    const now = new Date();
    const receivers = [...(await webhooksFor(tx, type, sale)), ...callbackOf(sale, type)];
    if (receivers.length === 0) return;
    const made = await tx.delivery.createManyAndReturn({
      data: receivers.map(({ hearing, webhookId, url, disabled }) => ({
        id: newId(),
        accountId,
        webhookId,
        contract: hearing.contract,
        event: hearing.event,
        eventId,
        url,
        nextAttemptAt: disabled ? null : now,
      })),
      skipDuplicates: true,
    });
    const failing = new Set(receivers.filter((receiver) => receiver.failing).map(({ webhookId }) => webhookId));
    for (const delivery of made) {
      if (!delivery.nextAttemptAt) continue;
      await enqueueDelivery(tx, delivery, failing.has(delivery.webhookId) ? undefined : event.subjectId);
    }
  });
}

type Receiver = { hearing: Hearing; webhookId: number | null; url: string; disabled: boolean; failing: boolean };

async function webhooksFor(tx: Tx, type: EventType, sale: Transaction): Promise<Receiver[]> {
  const { accountId } = sale;
  const where = { accountId, deletedAt: null, event: { in: registrationsFor(type, sale.type) } };
  const found = await tx.webhook.findMany({ where });
  const disabled = found.filter((webhook) => webhook.disabledAt);
  if (disabled.length > 0) await holdStill(tx, accountId, disabled);
  const webhooks = disabled.length > 0 ? await tx.webhook.findMany({ where }) : found;
  return webhooks
    .filter(hearsProducts)
    .filter(isWorthWaiting)
    .flatMap((webhook) => {
      const hearing = hearingOf(webhook.event, type, sale.type);
      if (!hearing) return [];
      const { id, url, disabledAt, failuresInRow } = webhook;
      return [{ hearing, webhookId: id, url, disabled: disabledAt !== null, failing: failuresInRow > 0 }];
    });
}

/** A disabled webhook must not be turned on between our look at it and our commit: its delivery would wait forever. */
async function holdStill(tx: Tx, accountId: string, webhooks: Webhook[]) {
  const ids = webhooks.map(({ id }) => id);
  await tx.$queryRaw`
    select id from webhooks where account_id = ${accountId}::uuid and id = any(${ids}) order by id for share`;
}

/** A webhook for chosen products hears only of sales of those, and no sale of this version names a product. */
const hearsProducts = ({ triggerAllProducts, products }: Webhook) => triggerAllProducts || products.length === 0;

/** The backlog of a disabled webhook is kept 14 days; after that nothing more is added to it. */
const isWorthWaiting = ({ disabledAt }: Webhook) => !disabledAt || Date.now() - disabledAt.getTime() < BACKLOG_MS;

function callbackOf(sale: Transaction, type: EventType): Receiver[] {
  const callback = Callback.safeParse(sale.callback);
  const hearing = callbackHearingOf(type);
  if (!callback.success || !hearing) return [];
  return [{ hearing, webhookId: null, url: callback.data.url, disabled: false, failing: false }];
}
