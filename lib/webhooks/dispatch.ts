import { z } from "zod";
import { countStored, RECORD_BYTES } from "@/lib/accounts/storage";
import { forAccount, type Tx } from "@/lib/db";
import type { EventType } from "@/lib/events";
import { newId } from "@/lib/ids";
import { enqueueAll, type Jobs } from "@/lib/jobs/enqueue";
import { callbackHearingOf, type Hearing, hearingOf, registrationsFor } from "@/lib/webhooks/matches";
import { bodyOf } from "@/lib/webhooks/payloads";
import { jobOf, type Place } from "@/lib/webhooks/queue";
import { BACKLOG_MS } from "@/lib/webhooks/schedule";
import type { Delivery, Event, Transaction, Webhook } from "@/prisma/client/client";

/** What `transactions.callback` holds. */
const Callback = z.object({ url: z.string() });

/**
 * The `webhooks.dispatch` job: one delivery for each receiver of an event, and a job for each, in one transaction.
 * Run again it finds its deliveries made (the index `deliveries_once`) and does nothing. Those for a disabled webhook
 * wait until it is on again.
 */
export async function dispatchEvent({ accountId, eventId }: Jobs["webhooks.dispatch"]): Promise<void> {
  const bytes = await forAccount(accountId, async (tx) => {
    const event = await tx.event.findUniqueOrThrow({ where: { accountId_id: { accountId, id: eventId } } });
    const type = event.type as EventType;
    const sale = await tx.transaction.findUniqueOrThrow({
      where: { accountId_id: { accountId, id: event.subjectId } },
    });
    const now = new Date();
    const receivers = [...(await webhooksFor(tx, type, sale, now)), ...callbackOf(sale, type, now)];
    if (receivers.length === 0) return 0;
    const made = await tx.delivery.createManyAndReturn({
      data: receivers.map(({ hearing, webhookId, url, nextAttemptAt }) => ({
        id: newId(),
        accountId,
        webhookId,
        contract: hearing.contract,
        event: hearing.event,
        eventId,
        url,
        nextAttemptAt,
      })),
      skipDuplicates: true,
    });
    const failing = new Set(receivers.filter((receiver) => receiver.failing).map(({ webhookId }) => webhookId));
    const placeOf = (webhookId: number | null): Place =>
      failing.has(webhookId) ? { rank: 1 } : { about: event.subjectId };
    const planned = made.filter((delivery) => delivery.nextAttemptAt);
    await enqueueAll(
      tx,
      "webhooks.deliver",
      planned.map((delivery) => jobOf(delivery, placeOf(delivery.webhookId))),
    );
    return made.reduce((sum, delivery) => sum + RECORD_BYTES + lengthOf(delivery, event, sale), 0);
  });
  if (bytes > 0) countStored(accountId, bytes);
}

/** Of the body that is kept with it. */
const lengthOf = ({ contract, event: name }: Delivery, event: Event, sale: Transaction) =>
  Buffer.byteLength(JSON.stringify(bodyOf(contract, name, event, sale)));

type Receiver = {
  hearing: Hearing;
  webhookId: number | null;
  url: string;
  nextAttemptAt: Date | null;
  failing: boolean;
};

async function webhooksFor(tx: Tx, type: EventType, sale: Transaction, now: Date): Promise<Receiver[]> {
  const { accountId } = sale;
  const where = { accountId, deletedAt: null, event: { in: registrationsFor(type, sale.type) } };
  let webhooks = await tx.webhook.findMany({ where });
  if (webhooks.some(({ disabledAt }) => disabledAt)) {
    await holdStill(tx, accountId, webhooks);
    webhooks = await tx.webhook.findMany({ where });
  }
  return webhooks
    .filter(hearsProducts)
    .filter(isWorthWaiting)
    .flatMap((webhook) => {
      const hearing = hearingOf(webhook.event, type, sale.type);
      const { id, url, disabledAt, failuresInRow } = webhook;
      const failing = disabledAt !== null || failuresInRow > 0;
      return hearing ? [{ hearing, webhookId: id, url, nextAttemptAt: disabledAt ? null : now, failing }] : [];
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

function callbackOf(sale: Transaction, type: EventType, now: Date): Receiver[] {
  const callback = Callback.safeParse(sale.callback);
  const hearing = callbackHearingOf(type);
  if (!callback.success || !hearing) return [];
  return [{ hearing, webhookId: null, url: callback.data.url, nextAttemptAt: now, failing: false }];
}
