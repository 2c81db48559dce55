import { countStored, readStorage, rowBytes } from "@/lib/accounts/storage";
import { asSystem, forAccount, isLockTimeout, onCommit, queryOf, type Tx } from "@/lib/db";
import { type DueRows, locked } from "@/lib/due/find";
import { wakeOnCommit } from "@/lib/due/wake";
import { firstIdAt } from "@/lib/ids";
import { log } from "@/lib/log";
import { mayCrash } from "@/lib/process/crash-points";
import { leadsToSql } from "@/lib/states";
import { bodiesOf } from "@/lib/webhooks/bodies";
import { dueDeliveries } from "@/lib/webhooks/claim";
import { databaseNow } from "@/lib/webhooks/database-now";
import { lockWebhookSoon } from "@/lib/webhooks/lock";
import { isPlannedAgain, nextReplayable, type Replayable } from "@/lib/webhooks/replayable";
import { deliveryTransitions } from "@/lib/webhooks/states";
import type { Webhook, WebhookReplay } from "@/prisma/client/client";

/** How long it takes from set to set of one replay. The deliveries of a set fall due one by one in this time. */
export const SET_MS = 500;
/** How many deliveries the first set plans, and the largest one. */
export const FIRST_PACE = 8;
const MAX_PACE = 64;
/** While the last attempt at a webhook failed, one delivery is planned after the other, this far apart. */
const FAILING_MS = 5_000;
/** When an account that may store nothing more is looked at again. */
const FULL_MS = 60_000;

/** How many replays one run serves. */
const BATCH = 20;

export const dueReplays = {
  ...{ table: "webhook_replays", key: { account_id: "uuid", id: "uuid" } },
  ...{ at: "t.next_at", only: "t.ended_at is null" },
} satisfies DueRows;

/**
 * Loop: plans a set of each of some replays, those that waited longest first. One that fails does not stop the others.
 * Returns whether more may be due.
 */
export async function planReplays(): Promise<boolean> {
  const isMore: boolean[] = [];
  for (const one of await findDue()) {
    await planSet(one).then(
      (more) => isMore.push(more),
      (error) => {
        if (!isLockTimeout(error)) log.error({ ...one, error }, "the deliveries of a replay could not be planned");
      },
    );
  }
  return isMore.length === BATCH || isMore.includes(true);
}

type Due = { accountId: string; webhookId: number };

const findDue = () => asSystem((tx) => tx.$queryRawUnsafe<Due[]>(DUE));

const DUE = locked(`select t.account_id as "accountId", t.webhook_id as "webhookId" from webhook_replays t
      where ${dueReplays.only} and ${dueReplays.at} <= now() order by ${dueReplays.at} limit ${BATCH}`);

/**
 * Plans the next set of a replay and notes how far it came, in one transaction, so that a set is planned once. Whoever
 * has the webhook's lock has its replay.
 */
const planSet = ({ accountId, webhookId }: Due): Promise<boolean> =>
  forAccount(accountId, async (tx) => {
    const webhook = await lockWebhookSoon(tx, accountId, webhookId);
    const replay = await tx.webhookReplay.findFirst({ where: { accountId, webhookId, endedAt: null } });
    const at = await databaseNow(tx);
    if (!replay || replay.nextAt > at) return false;
    const isOn = webhook && !webhook.disabledAt && !webhook.deletedAt;
    const next: Next = isOn ? await nextOf(tx, webhook, replay, at) : { isStopped: true, endedAt: at };
    await tx.webhookReplay.update({ where: { accountId_id: { accountId, id: replay.id } }, data: next });
    mayCrash("replay.planned");
    return next.nextAt === at;
  });

type Next = Partial<Pick<WebhookReplay, "planned" | "afterId" | "pace" | "nextAt" | "isStopped" | "endedAt">>;

/**
 * What a replay does next. It plans nothing while anything is due for its webhook: so what happens meanwhile is sent before
 * the rest of the replay, and waits for one set at most. A receiver that sends a set back in time gets a larger one next,
 * and any other a smaller one.
 */
async function nextOf(tx: Tx, webhook: Webhook, replay: WebhookReplay, at: Date): Promise<Next> {
  const after = (ms: number) => new Date(at.getTime() + ms);
  if (await isAnyDue(tx, webhook)) return { pace: Math.max(1, Math.floor(replay.pace / 2)), nextAt: after(SET_MS) };
  if (await isFull(tx, webhook)) return { nextAt: after(FULL_MS) };
  const isFailing = webhook.failuresInRow > 0;
  const room = isFailing ? 1 : replay.pace;
  const range = { after: replay.afterId, until: firstIdAt(replay.toAt), onlyFailed: replay.onlyFailed };
  const { found, last } = await nextReplayable(queryOf(tx), webhook, range);
  const set = found.slice(0, room);
  const planned = replay.planned + (await plan(tx, webhook, replay, set));
  const reached = found.length > room ? (set.at(-1)?.event.id ?? last) : last;
  if (reached === null) return { planned, endedAt: at };
  const nextAt = set.length === 0 ? at : after(isFailing ? FAILING_MS : SET_MS);
  return { planned, afterId: reached, pace: Math.min(room * 2, MAX_PACE), nextAt };
}

/** Whether a delivery of the webhook waits to be sent, live or again. One whose attempt is under way does not. */
async function isAnyDue(tx: Tx, { accountId, id }: Webhook): Promise<boolean> {
  const [row] = await queryOf(tx)<{ isAny: boolean }>("", ANY_DUE, [accountId, id]);
  return row?.isAny ?? false;
}

const ANY_DUE = `select exists (
    select from deliveries t where t.account_id = $1::uuid and ${dueDeliveries.of[1]} = $2::int
      and ${dueDeliveries.only} and ${dueDeliveries.at} <= now()
  ) as "isAny"`;

const isFull = async (tx: Tx, { accountId }: Webhook) => (await readStorage(tx, accountId)).isFull;

/** Plans the deliveries of a set, and returns how many. Their bodies are those of their events. */
async function plan(tx: Tx, webhook: Webhook, { onlyFailed }: WebhookReplay, set: readonly Replayable[]) {
  if (set.length === 0) return 0;
  const { accountId, id: webhookId, url } = webhook;
  const deliveries = set.map(({ event, route }) => ({
    event_id: event.id,
    contract: route.contract,
    event: route.name,
  }));
  const bodies = set.flatMap(({ event, open, route }) => bodiesOf(event, open, [route]));
  const values = [
    accountId,
    webhookId,
    onlyFailed,
    url,
    JSON.stringify(deliveries),
    JSON.stringify(bodies),
    set.length,
  ];
  const [made] = await queryOf(tx)<Made>("", PLAN, values);
  if (!made) return 0;
  const bytes = made.deliveries * rowBytes.delivery + made.bodies * rowBytes.body + made.bytes;
  onCommit(tx, () => countStored(accountId, bytes));
  wakeOnCommit(tx, "deliveries");
  return made.planned;
}

/** How many deliveries are planned, and what of it was not stored before. */
type Made = { planned: number; deliveries: number; bodies: number; bytes: number };

const PLAN = `with body as (
    insert into delivery_bodies (account_id, event_id, contract, event, body)
    select $1::uuid, b."eventId", b.contract, b.event, b.body
    from json_to_recordset($6::json) as b("eventId" uuid, contract "DeliveryContract", event text, body text)
    on conflict do nothing
    returning octet_length(body) as bytes
  ), planned as (
    insert into deliveries (account_id, event_id, id, webhook_id, contract, event, url, next_attempt_at)
    select $1::uuid, d.event_id, new_id(), $2::int, d.contract, d.event, $4,
      date_trunc('milliseconds', statement_timestamp()
        + (row_number() over () - 1) * interval '${SET_MS} milliseconds' / $7::int)
    from json_to_recordset($5::json) as d(event_id uuid, contract "DeliveryContract", event text)
    on conflict (account_id, event_id, webhook_id, contract) do update
      set ${leadsToSql(deliveryTransitions.resend)}, next_attempt_at = excluded.next_attempt_at, event = excluded.event,
        url = excluded.url
      where ${isPlannedAgain("deliveries")}
    returning xmax = 0 as is_made
  )
  select (select count(*) from planned)::int as planned, (select count(*) from planned where is_made)::int as deliveries,
    (select count(*) from body)::int as bodies, (select coalesce(sum(bytes), 0) from body)::int as bytes`;
