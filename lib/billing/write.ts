import { setImmediate } from "node:timers/promises";
import type { AccountContext } from "@/lib/accounts/context";
import { noteRecorded } from "@/lib/actor";
import { chargeRow, type EventRecord, presentMandate } from "@/lib/billing/event-record";
import { mailsToSellers } from "@/lib/billing/seller-mails";
import { nextChargeAt } from "@/lib/billing/subscription";
import type { SubscriptionChange } from "@/lib/billing/subscription-change";
import { cycles, mandates, type Subscription, subscriptions } from "@/lib/billing/tables";
import { nextTimer } from "@/lib/billing/timers";
import { asSystem, type Query } from "@/lib/db";
import { isPicked, locked } from "@/lib/due/find";
import { wakeOnCommit } from "@/lib/due/wake";
import { emitFrom } from "@/lib/events/emit";
import { newId } from "@/lib/ids";
import { writeMails } from "@/lib/mail/write";
import { makeCallsDue, writeCalls } from "@/lib/outside/calls";
import { businessNow, isoOrNull } from "@/lib/time/clock";
import { writeSales } from "@/lib/transactions/insert";
import { moveSales } from "@/lib/transactions/move";
import { trackingOf, type Untracked } from "@/lib/transactions/tracking";

/**
 * Writes changes of subscriptions that this transaction has locked, in one set: their rows, cycles, sales, events and mails, and
 * voids the codes that they replaced. The only writer of subscriptions and cycles.
 */
export async function writeChanges(query: Query, changes: readonly SubscriptionChange[]): Promise<void> {
  if (changes.length === 0) return;
  if (changes.some(({ events }) => events.length > 0)) noteRecorded();
  const voided = changes.flatMap(({ account, voided }) => voided.map((id) => ({ accountId: account.id, id })));
  await moveSales(query, "expire", voided);
  const failed = changes.flatMap(({ account, failed }) => failed.map((id) => ({ accountId: account.id, id })));
  await moveSales(query, "fail", failed);
  const sales = changes.flatMap((change) => change.sales);
  if (sales.length > 0) await writeSales(query, sales);
  await setImmediate();
  const values = [
    JSON.stringify(changes.map(rowOf)),
    JSON.stringify(changes.flatMap(cyclesOf)),
    JSON.stringify(changes.flatMap(eventsOf)),
    JSON.stringify(changes.flatMap(({ mandate }) => (mandate ? [mandates.rowOf(mandate)] : []))),
  ];
  await query("subscriptions_write", WRITE, values);
  wakeOnCommit(query, "events");
  await writeCalls(
    query,
    changes.flatMap(({ calls }) => calls),
  );
  await setImmediate();
  const mails = changes.flatMap((change) => change.mails);
  await writeMails(query, [...mails, ...(await mailsToSellers(query, changes))]);
}

type Newcomer = {
  account: AccountContext;
  planId: string;
  planVersion: number;
  productId: string | null;
  /** Whether an anonymous visitor enrols. */
  byVisitor: boolean;
};

type Person = Untracked<Pick<Subscription, "name" | "email" | "document" | "phone">> & {
  device?: Device | null | undefined;
};
type Device = { ip: string; user_agent: string };

/**
 * Writes a subscription that owes nothing yet, with the name and addresses that were given. The subscriber, who is one of
 * an account and document, takes them too where the seller gave them; a visitor changes nothing of a person who is known.
 * Returns its id.
 */
export async function insertSubscription(query: Query, newcomer: Newcomer, person: Person): Promise<string> {
  const { account, planId, planVersion, productId, byVisitor } = newcomer;
  const now = businessNow(account);
  const id = newId(now);
  const { document, name, email, phone } = person;
  await query("subscription_insert", INSERT, [
    ...[account.id, id, newId(now), planId, planVersion, productId, now, document, name, email, phone],
    ...[byVisitor || null, originOf(person)],
  ]);
  return id;
}

const INSERT = `with subscriber as (
    insert into subscribers as s (account_id, id, document, name, email, phone, created_at, updated_at)
    values ($1::uuid, $3::uuid, $8, $9, $10, $11, $7, $7)
    on conflict (account_id, document) do update set
      name = case when $12::boolean is null then excluded.name else s.name end,
      email = case when $12::boolean is null then excluded.email else s.email end,
      phone = case when $12::boolean is null then coalesce(excluded.phone, s.phone) else s.phone end,
      updated_at = case when $12::boolean is null then excluded.updated_at else s.updated_at end
    returning id
  )
  insert into subscriptions (account_id, id, subscriber_id, plan_id, plan_version, product_id, name, email, document,
    phone, created_at, updated_at, by_visitor, tracking)
  select $1::uuid, $2::uuid, subscriber.id, $4::uuid, $5, $6::uuid, $9, $10, $8, $11, $7, $7, $12::boolean, $13::jsonb from subscriber`;

/** Where a sign-up came from, which all charges carry; null where nothing says so. */
function originOf({ device, ...given }: Person) {
  const from = device && { client_ip: device.ip, user_agent: device.user_agent };
  const tracking = { ...trackingOf(given), ...from };
  return Object.keys(tracking).length > 0 ? JSON.stringify(tracking) : null;
}

/** The row as it will be, with the instant at which the engine acts next. */
function rowOf(change: SubscriptionChange) {
  const actAt = nextTimer(change)?.at ?? null;
  return subscriptions.rowOf({ ...change.subscription, actAt, updatedAt: change.now });
}

/** What was pending goes first, because a subscription has one pending cycle at most. */
const cyclesOf = (change: SubscriptionChange) =>
  [...change.cycles.values()]
    .sort((one, other) => Number(one.status === "pending") - Number(other.status === "pending"))
    .map(cycles.rowOf);

/** An update of every column but the key, from the row that could not be inserted. */
const replaced = (names: string) =>
  names
    .split(", ")
    .filter((name) => name !== "account_id" && name !== "id")
    .map((name) => `${name} = excluded.${name}`)
    .join(", ");

const WRITE = `with subscription as (
    insert into subscriptions (${subscriptions.names})
    select ${subscriptions.names} from json_populate_recordset(null::subscriptions, $1::json)
    on conflict (account_id, id) do update set ${replaced(subscriptions.names)}
  ), cycle as (
    insert into cycles (${cycles.names}) select ${cycles.names} from json_populate_recordset(null::cycles, $2::json)
    on conflict (account_id, id) do update set ${replaced(cycles.names)}
  ), mandate as (
    insert into mandates (${mandates.names})
    select ${mandates.names} from json_populate_recordset(null::mandates, $4::json)
    on conflict (account_id, id) do update set ${replaced(mandates.names)}
  ), given as materialized (
    select * from json_to_recordset($3::json) as g(account_id uuid, type text, subject text, subject_id uuid, data jsonb,
      record jsonb, request_id uuid, actor jsonb, occurred_at timestamptz)
  ), ${emitFrom("given")}
  select`;

/**
 * Makes due at once what was put off because it could not be charged, of accounts for which it can be now. Whatever is put
 * off is due within an hour of the account's clock (`lib/billing/timers.ts`); what was not due is found so and left.
 */
export async function makeSubscriptionsDue(accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return;
  await asSystem((tx) => tx.$executeRawUnsafe(MAKE_DUE, accountIds));
  await makeCallsDue(accountIds);
}

/** In the order of keys, as whoever locks several of them; one that is locked is worked out by whoever has locked it. */
const MAKE_DUE = `with put_off as (
    select s.account_id, s.id, a.present
    from (
      select id, date_trunc('milliseconds', now()) + clock_offset_ms * interval '1 millisecond' as present
      from accounts where id = any($1::uuid[]) order by id
    ) a
    cross join lateral (
      ${locked(`select account_id, id from subscriptions
        where account_id = a.id and act_at > a.present and act_at <= a.present + interval '1 hour' order by id`)}
    ) s
  )
  update subscriptions s set act_at = p.present from put_off p where ${isPicked("s", "p")}`;

/** The rows of the events of a change. */
export function eventsOf({ account, now, requestId, actor, events, codes }: SubscriptionChange) {
  return events.map(({ type, subscription, cycle, mandate, offer }) => {
    const code = codes.get(cycle?.codeSaleId ?? "") ?? null;
    const record: EventRecord = {
      subscription: subscriptions.rowOf(subscription) as EventRecord["subscription"],
      next_charge_at: isoOrNull(nextChargeAt({ subscription, cycle: open(cycle), offer, account })),
      charge: cycle && (chargeRow(cycle, account.timeZone, code) as unknown as EventRecord["charge"]),
      mandate: mandate && presentMandate(mandate),
      ...(subscription.byVisitor && !subscription.startedAt && { by_visitor: true }),
    };
    const charge = cycle && { number: cycle.number, status: cycle.status };
    const data = { status: subscription.status, charge };
    return {
      ...{ account_id: account.id, type, subject: "subscription", subject_id: subscription.id, data, record },
      ...{ request_id: requestId, actor, occurred_at: now },
    };
  });
}

/** Of a cycle, only one that is owed says when the next charge is due. */
const open = <C extends { status: string }>(cycle: C | null) => (cycle?.status === "pending" ? cycle : null);
