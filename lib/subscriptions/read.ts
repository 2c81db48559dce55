import type { AccountContext } from "@/lib/accounts/context";
import { chargeRow } from "@/lib/billing/event-record";
import { loadSelected } from "@/lib/billing/lock";
import { living } from "@/lib/billing/states";
import type { LoadedSubscription } from "@/lib/billing/subscription";
import type { SubscriptionChange } from "@/lib/billing/subscription-change";
import { cycles } from "@/lib/billing/tables";
import type { Row } from "@/lib/database/json-rows";
import { type Query, queryOf, readFor, type Tx } from "@/lib/db";
import { AppError, invalid } from "@/lib/errors";
import { COUNTED, metaOf, type PageQuery, pageOfRead, skipOf, upTo } from "@/lib/lists/pagination";
import { findPlan } from "@/lib/plans/read";
import { presentNextStep } from "@/lib/subscriptions/next-step";
import { presentCharge, presentItem, presentSubscription } from "@/lib/subscriptions/present";
import { pictureOf } from "@/lib/subscriptions/qr";
import type { Charge, Subscriber, SubscriberQuery, SubscriptionQuery } from "@/lib/subscriptions/schema";
import { iso, isoOrNull } from "@/lib/time/clock";
import { emailSought } from "@/lib/typed/emails";
import { signsOf, upper } from "@/lib/typed/text";
import { SubscriptionStatus } from "@/prisma/client/enums";

/** How many charges a subscription shows itself; its list has them all. */
const SHOWN_CHARGES = 100;
/** How many subscriptions a person of the list shows. */
const SHOWN_SUBSCRIPTIONS = 5;

/**
 * The account's subscriptions, newest first, with how many there are of each status, the paused ones apart from the
 * suspended ones, counted up to 10,000. Of those that owe, the longest overdue is first. Throws 422 for a cursor of the other order.
 */
export const listSubscriptions = (accountId: string, query: SubscriptionQuery) =>
  readFor(accountId, async (tx) => {
    const isOwing = query.owing === "true";
    const counts = await countByStatus(tx, accountId, query.plan, isOwing);
    const people = filterOf(query, 3);
    const which = `${of(query.status, isOwing)} and ${ofPaused(query.paused)} and ${ofPlan(query.plan)} and ${people.text}`;
    const values = [accountId, query.plan ?? null, ...people.values];
    const total = query.search ? await countUpTo(tx, `subscriptions s where ${which}`, values) : sumOf(counts, query);
    const { text, values: after } = isOwing ? afterOwing(query, values.length) : afterId(query, values.length);
    const page = `select s.* from subscriptions s where ${which} and ${text} ${limitOf(query)}`;
    const rows = await loadSelected(queryOf(tx), "", page, [...values, ...after]);
    const { shown, meta } = pageOfRead(rows.map(isOwing ? withAge : withId), total, query);
    const data = shown.map((loaded) => ({ ...presentItem(loaded), next_step: presentNextStep(loaded) }));
    return { data, meta: { ...meta, counts } };
  });

/**
 * SQL: the account's subscriptions, of one status, or of those that owe. The status is written out, so that its own index
 * serves.
 */
const of = (status?: SubscriptionStatus, isOwing = false) =>
  ["s.account_id = $1::uuid", ...(status ? [`s.status = '${status}'`] : []), ...(isOwing ? [OWING] : [])].join(" and ");

const statusesOwing = ["overdue", "suspended"] as const;

/** SQL: overdue, or suspended because it was not paid. What is paused owes nothing. */
const OWING = "s.status in ('overdue', 'suspended') and s.cycle_id is not null";

const PAUSED = "s.status = 'suspended' and s.paused_at is not null";

/** SQL: only what is paused, or nothing of it, where that is asked for. */
function ofPaused(paused?: "true" | "false") {
  if (paused === "true") return PAUSED;
  return paused ? "(s.status <> 'suspended' or s.paused_at is null)" : "true";
}

/** SQL: of the plan `$2`, where one is given. */
const ofPlan = (plan?: string) => (plan ? "s.plan_id = $2::uuid" : "$2::uuid is null");

type Page = { text: string; values: string[] };

/** SQL: what comes after the cursor, newest first; `n` values come before. */
function afterId({ cursor }: { cursor?: string | undefined }, n: number, of = "s"): Page {
  const values = cursor ? [cursor.slice(-UUID_LENGTH)] : [];
  return { text: `${cursor ? `${of}.id < $${n + 1}::uuid` : "true"} order by ${of}.id desc`, values };
}

/** SQL: what comes after the cursor, the longest overdue first; `n` values come before. */
function afterOwing({ cursor }: SubscriptionQuery, n: number): Page {
  const order = "order by s.overdue_since, s.id";
  if (!cursor) return { text: `true ${order}`, values: [] };
  const [since, id] = cursor.split("~");
  if (!id) throw invalid({ cursor: [NOT_OF_THIS_LIST] });
  const values = [new Date(Number(since)).toISOString(), id];
  return { text: `(s.overdue_since, s.id) > ($${n + 1}::timestamptz, $${n + 2}::uuid) ${order}`, values };
}

/** SQL: one page, and one row more, which shows whether there are more. */
const limitOf = (query: PageQuery & { cursor?: string | undefined }) =>
  `offset ${query.cursor ? 0 : skipOf(query)} limit ${query.per_page + 1}`;

const UUID_LENGTH = 36;
const NOT_OF_THIS_LIST = "Este cursor é de outra lista. Use o next_cursor que esta lista devolveu.";

const withId = (loaded: LoadedSubscription) => ({ ...loaded, id: loaded.subscription.id });

/** With a cursor that still leads on once the subscription has been paid, when its row says no longer how late it was. */
const withAge = (loaded: LoadedSubscription) => ({
  ...loaded,
  id: `${loaded.subscription.overdueSince?.getTime() ?? 0}~${loaded.subscription.id}`,
});

type Total = { total: number; isExact: boolean };

/** Counts rows of a table, by SQL from its name on. */
async function countUpTo(tx: Tx, rows: string, values: unknown[]): Promise<Total> {
  const text = `select count(*)::int as total from (select from ${rows} limit ${COUNTED + 1}) c`;
  const [count] = await tx.$queryRawUnsafe<{ total: number }[]>(text, ...values);
  return upTo(count?.total ?? 0);
}

function sumOf(
  counts: Record<string, number>,
  { status, paused }: Pick<SubscriptionQuery, "status" | "paused">,
): Total {
  const counted = Object.entries(counts).flatMap(([name, count]) => {
    const isOfStatus = !status || (name === "paused" ? "suspended" : name) === status;
    return isOfStatus && (!paused || (name === "paused") === (paused === "true")) ? [count] : [];
  });
  return { total: counted.reduce((sum, one) => sum + one, 0), isExact: counted.every((one) => one < COUNTED) };
}

/** How many people a search finds at most. */
const FOUND_PEOPLE = 1_000;

/**
 * SQL: which people `p` a search looks for, by their document, their e-mail, or how their name begins; `$n` is the first
 * of the values.
 */
function peopleOf(search: string, n: number): { text: string; values: string[] } {
  if (search.includes("@")) return { text: `p.email = $${n}`, values: [emailSought(search)] };
  const digits = upper(signsOf(search));
  if (/^(\d{11}|[0-9A-Z]{12}\d{2})$/.test(digits)) return { text: `p.document = $${n}`, values: [digits] };
  const begin = withoutAccents(search).toLowerCase();
  return { text: `p.name_key >= $${n} and p.name_key < $${n + 1}`, values: [begin, `${begin}\u{10ffff}`] };
}

/** As the column `name_key` has a name. */
const withoutAccents = (text: string) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "");

/** SQL: whether the subscription `s` is one of the people that a search finds. */
function filterOf({ search }: { search?: string | undefined }, n: number): { text: string; values: string[] } {
  if (!search) return { text: "true", values: [] };
  const { text, values } = peopleOf(search, n);
  const people = `select p.id from subscribers p where p.account_id = $1::uuid and ${text} limit ${FOUND_PEOPLE}`;
  return { text: `s.subscriber_id = any(array(${people}))`, values };
}

async function countByStatus(
  tx: Tx,
  accountId: string,
  plan: string | undefined,
  isOwing: boolean,
): Promise<Record<string, number>> {
  const rows = await tx.$queryRawUnsafe<{ status: SubscriptionStatus | "paused"; number: number }[]>(
    plan && !isOwing ? COUNTS_OF_PLAN : countsOf(plan, isOwing),
    ...[accountId, plan ?? null],
  );
  return Object.fromEntries(rows.flatMap(({ status, number }) => (number > 0 ? [[status, number]] : [])));
}

/** How many subscriptions owe, as the list of those that owe counts them: up to 10,000 of each status. */
export async function countOwing(tx: Tx, accountId: string) {
  const { overdue = 0, suspended = 0 } = await countByStatus(tx, accountId, undefined, true);
  return { overdue, suspended };
}

/** Whether an account in scope ever had a subscription: its due days are of the zone that the account then had. */
export async function hasSubscriptions(tx: Tx, accountId: string): Promise<boolean> {
  return (await tx.subscription.findFirst({ where: { accountId }, select: { id: true } })) !== null;
}

/** How many subscriptions of an account in scope have not ended, up to `COUNTED` of each status. */
export async function countLiving(tx: Tx, accountId: string): Promise<number> {
  const counts = await countByStatus(tx, accountId, undefined, false);
  return living.reduce((sum, status) => sum + (counts[status] ?? 0), counts.paused ?? 0);
}

const COUNTS_OF_PLAN = `with paused as (
    select count(*)::int as number from subscriptions s where ${of()} and s.plan_id = $2::uuid and ${PAUSED}
  )
  select c.status::text as status,
    least(c.number - case when c.status = 'suspended' then p.number else 0 end, ${COUNTED}) as number
  from count_subscriptions($1::uuid, $2::uuid) c cross join paused p
  union all select 'paused', least(number, ${COUNTED}) from paused`;

/** SQL: each status counted by its own index. */
const countsOf = (plan: string | undefined, isOwing: boolean) =>
  (isOwing ? statusesOwing : ([...Object.values(SubscriptionStatus), "paused"] as const))
    .map((name) => {
      const status = name === "paused" ? "suspended" : name;
      const paused = status === "suspended" ? ofPaused(name === "paused" ? "true" : "false") : "true";
      return `select '${name}' as status, (select count(*)::int from (
        select from subscriptions s where ${of(status, isOwing)} and ${paused} and ${ofPlan(plan)} limit ${COUNTED}
      ) c) as number`;
    })
    .join(" union all ");

/** Throws `subscription_not_found`, also for another account's. */
export const readSubscription = (account: AccountContext, id: string) =>
  readFor(account.id, async (tx) => {
    const query = queryOf(tx);
    const shown = await findSubscription(query, account.id, id);
    return { data: await presentWhole(query, shown) };
  });

/** A subscription with all that a change of it must know, not locked. Throws `subscription_not_found`. */
export async function findSubscription(query: Query, accountId: string, id: string): Promise<LoadedSubscription> {
  const [found] = await loadSelected(query, "", ONE, [accountId, id]);
  if (!found) throw new AppError("subscription_not_found");
  return found;
}

const ONE = "select * from subscriptions where account_id = $1::uuid and id = $2::uuid";

/** A subscription's charges, newest first. Throws `subscription_not_found`. */
export const listCharges = (account: AccountContext, id: string, query: PageQuery) =>
  readFor(account.id, async (tx) => {
    await findSubscription(queryOf(tx), account.id, id);
    const total = await tx.cycle.count({ where: { accountId: account.id, subscriptionId: id } });
    const data = await chargesOf(queryOf(tx), account, id, skipOf(query), query.per_page);
    return { data, meta: metaOf(total, query) };
  });

async function chargesOf(
  query: Query,
  { id: accountId, timeZone }: AccountContext,
  subscriptionId: string,
  skip: number,
  take: number,
): Promise<Charge[]> {
  const rows = await query<{ cycle: Row; code: string | null }>("", CHARGES, [accountId, subscriptionId, skip, take]);
  return Promise.all(
    rows.map(async ({ cycle: row, code }) => {
      const cycle = cycles.of(row);
      const picture = code && cycle.status === "pending" ? await pictureOf(code) : null;
      return presentCharge(chargeRow(cycle, timeZone, code), picture);
    }),
  );
}

const CHARGES = `select to_jsonb(c) as cycle, t.pix_code as code
  from (
    select * from cycles where account_id = $1::uuid and subscription_id = $2::uuid
    order by number desc, id desc offset $3::int limit $4::int
  ) c
  left join lateral (
    select pix_code from transactions where account_id = c.account_id and id = coalesce(c.code_sale_id, c.transaction_id) limit 1
  ) t on true`;

/** What an action answers: the subscription as it is now. */
export const presentChanged = async (change: SubscriptionChange, tx: Tx) => ({
  data: await presentWhole(queryOf(tx), change),
});

async function presentWhole(query: Query, loaded: LoadedSubscription) {
  const { account, subscription, card } = loaded;
  return presentSubscription(
    loaded,
    card && presentCard(card),
    await chargesOf(query, account, subscription.id, 0, SHOWN_CHARGES),
  );
}

const presentCard = ({ brand, last4, keptAt, expiresOn }: NonNullable<LoadedSubscription["card"]>) => ({
  ...{ brand, last4, kept_at: iso(keptAt), expires_on: expiresOn },
});

/** Who subscribes to a plan, newest first. Throws `plan_not_found`. */
export const listPlanSubscribers = (accountId: string, planId: string, query: SubscriberQuery) =>
  readFor(accountId, async (tx) => {
    await findPlan(tx, { accountId, id: planId });
    const people = filterOf(query, 3);
    const where = `${of()} and ${ofPlan(planId)} and ${people.text}`;
    const values = [accountId, planId, ...people.values];
    const total = await countUpTo(tx, `subscriptions s where ${where}`, values);
    const after = afterId(query, values.length);
    const rows = await tx.$queryRawUnsafe<PlanSubscriberRow[]>(
      `select id, status, name, email, started_at as "startedAt" from subscriptions s where ${where} and ${after.text}
      ${limitOf(query)}`,
      ...[...values, ...after.values],
    );
    const { shown, meta } = pageOfRead(rows, total, query);
    const data = shown.map((row) => ({
      ...{ token: row.id, status: row.status, subscriber_name: row.name, subscriber_email: row.email },
      started_at: isoOrNull(row.startedAt),
    }));
    return { data, meta };
  });

type PlanSubscriberRow = {
  id: string;
  status: SubscriptionStatus;
  name: string;
  email: string;
  startedAt: Date | null;
};

/** The people who subscribe to any plan, newest first, with their latest subscriptions. */
export const listSubscribers = (accountId: string, query: SubscriberQuery) =>
  readFor(accountId, async (tx) => {
    const people = query.search ? peopleOf(query.search, 2) : { text: "true", values: [] };
    const where = `subscribers p where p.account_id = $1::uuid and ${people.text}`;
    const values = [accountId, ...people.values];
    const total = await countUpTo(tx, where, values);
    const after = afterId(query, values.length, "p");
    const page = `select * from ${where} and ${after.text} ${limitOf(query)}`;
    const rows = await tx.$queryRawUnsafe<SubscriberRow[]>(PEOPLE(page), ...values, ...after.values);
    const { shown, meta } = pageOfRead(rows, total, query);
    return { data: shown.map(presentSubscriber), meta };
  });

const PEOPLE = (page: string) => `select s.id, s.name, s.email, s.document, s.phone, s.created_at as "createdAt",
    n.number as "subscriptionsCount", l.latest
  from (${page}) s
  cross join lateral (
    select count(*)::int as number from subscriptions where account_id = s.account_id and subscriber_id = s.id
  ) n
  cross join lateral (
    select coalesce(json_agg(json_build_object('token', o.id, 'status', o.status, 'startedAt', o.started_at,
      'pausedAt', o.paused_at, 'plan', json_build_object('token', o.plan_id, 'name', p.name)) order by o.id desc), '[]') as latest
    from (
      select * from subscriptions where account_id = s.account_id and subscriber_id = s.id
      order by id desc limit ${SHOWN_SUBSCRIPTIONS}
    ) o
    join plans p on p.account_id = o.account_id and p.id = o.plan_id
  ) l
  order by s.id desc`;

type Latest = {
  token: string;
  status: SubscriptionStatus;
  startedAt: string | null;
  pausedAt: string | null;
  plan: { token: string; name: string };
};
type SubscriberRow = Omit<Subscriber, "created_at" | "subscriptions_count" | "subscriptions"> & {
  createdAt: Date;
  subscriptionsCount: number;
  latest: Latest[];
};

const presentSubscriber = ({ createdAt, subscriptionsCount, latest, ...person }: SubscriberRow): Subscriber => ({
  ...person,
  created_at: iso(createdAt),
  subscriptions_count: subscriptionsCount,
  subscriptions: latest.map(({ startedAt, pausedAt, ...one }) => ({
    ...one,
    started_at: startedAt && iso(new Date(startedAt)),
    paused_at: pausedAt && iso(new Date(pausedAt)),
  })),
});
