import { join } from "node:path";
import { root } from "../bin/settings.mjs";
import { measureReads, slowestOf } from "./reads.mjs";

const CYCLES_EACH = 10;
const PLANS = 20;
const API = "/api/partner/v1";

/** The lists of a seller with `rows` subscriptions of ten cycles each: each read alone, as a person waits for it. */
export async function subscriptions({ owner, fixtures, start }, { rows = 100_000, seconds }) {
  const [{ accountId, token }] = await fixtures.makeSellers(1);
  await fill(owner, accountId, rows);
  const host = await start(join(root, "bench/host.mjs"));
  const idsOf = async (text) => (await owner.query(text, [accountId])).rows.map(({ id }) => id);
  const some = await idsOf("select id from subscriptions where account_id = $1 order by id desc limit 300");
  const deep = await idsOf(`select id from subscriptions where account_id = $1 order by id limit 300`);
  const plans = await idsOf("select id from plans where account_id = $1");
  const of = (list) => (n) => list[n % list.length];
  const reads = {
    subscriptions: () => `${API}/subscriptions`,
    "subscriptions, deep": (n) => `${API}/subscriptions?cursor=${of(deep)(n)}`,
    "subscriptions: overdue": () => `${API}/subscriptions?status=overdue`,
    "subscriptions: suspended": () => `${API}/subscriptions?status=suspended`,
    "subscriptions: who owes": () => `${API}/subscriptions?owing=true`,
    "subscriptions of a plan": (n) => `${API}/subscriptions?plan=${of(plans)(n)}`,
    "subscriptions: by e-mail": (n) => `${API}/subscriptions?search=pessoa${n + 1}@example.com`,
    "subscriptions: by CPF": (n) => `${API}/subscriptions?search=${String(n + 1).padStart(11, "0")}`,
    "subscriptions: by name": (n) => `${API}/subscriptions?search=Pessoa ${n % 100}`,
    "one subscription": (n) => `${API}/subscriptions/${of(some)(n)}`,
    "its charges": (n) => `${API}/subscriptions/${of(some)(n)}/charges`,
    subscribers: () => `${API}/subscribers`,
    "subscribers: by name": (n) => `${API}/subscribers?search=Pessoa ${n % 100}`,
    "a plan's subscribers": (n) => `${API}/subscription-plans/${of(plans)(n)}/subscribers`,
    plans: () => `${API}/subscription-plans?per_page=100`,
  };
  const measured = await measureReads(host.url, seconds, reads, () => token);
  await host.stop();
  const [first, last] = ["subscriptions", "subscriptions, deep"].map((one) =>
    measured.find(({ name }) => name === one),
  );
  return [slowestOf(measured), { what: "deep over first, p50", value: last.p50 / first.p50, atMost: 1.2 }];
}

/** Writes the rows by SQL as the owner, because a hundred thousand enrolments would take minutes. */
async function fill(owner, accountId, rows) {
  const startedAt = performance.now();
  await owner.query("select set_config('app.accounts', '*', false)");
  for (const text of [PLAN, PEOPLE, PAID, OWED])
    await owner.query(text, [accountId, rows].slice(0, text.includes("$2") ? 2 : 1));
  await owner.query("vacuum analyze plans, plan_versions, subscribers, subscriptions, cycles");
  const { rows: counted } = await owner.query("select count(*)::int as count from cycles where account_id = $1", [
    accountId,
  ]);
  console.log(
    `  ${rows} subscriptions, ${counted[0].count} cycles in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  );
}

const PLAN = `with planned as materialized (select new_id() as id, n from generate_series(1, ${PLANS}) n), version as (
    insert into plan_versions (account_id, plan_id, version, amount, periodicity_days, billing_advance_days,
      grace_period_days, max_retry_attempts, billing_method, created_at)
    select $1, id, 1, 4990, 30, 5, 3, 3, 'qr_code', now() from planned
  )
  insert into plans (id, account_id, name, description, display_order, created_at, updated_at)
  select id, $1, 'Plano ' || n, '', n, now(), now() from planned`;

/** Nine in ten are active, and some of each other status. */
const PEOPLE = `with person as (
    insert into subscribers (account_id, id, document, name, email, created_at, updated_at)
    select $1, new_id(), lpad(n::text, 11, '0'), 'Pessoa ' || n, 'pessoa' || n || '@example.com', now(), now()
    from generate_series(1, $2::int) n returning *
  )
  insert into subscriptions (account_id, id, subscriber_id, plan_id, plan_version, name, email, document, status, anchor,
    next_cycle, started_at, overdue_since, created_at, updated_at)
  select $1, new_id(), person.id, p.ids[1 + right(person.document, 6)::int % ${PLANS}], 1, person.name, person.email,
    person.document, s.status, current_date - ${CYCLES_EACH * 30}, ${CYCLES_EACH + 1}, now() - interval '300 days',
    case when s.status in ('overdue', 'suspended') then now() - right(person.document, 4)::int * interval '1 minute' end,
    now(), now()
  from person
  cross join (select array_agg(id) as ids from plans where account_id = $1) p
  cross join lateral (
    select (array['overdue', 'suspended', 'cancelled', 'pending_first_payment']::"SubscriptionStatus"[])
      [1 + right(person.document, 3)::int % 40] as other
  ) o
  cross join lateral (select coalesce(o.other, 'active') as status) s`;

const PAID = `insert into cycles (account_id, id, subscription_id, number, plan_id, plan_version, amount, status, due_at,
    expires_at, paid_at, created_at, updated_at)
  select $1, new_id(), s.id, n, s.plan_id, 1, 4990, 'paid', now() - (${CYCLES_EACH} - n) * interval '30 days', now(), now(),
    now(), now()
  from subscriptions s cross join generate_series(1, ${CYCLES_EACH}) n where s.account_id = $1`;

const OWED = `with owed as (
    insert into cycles (account_id, id, subscription_id, number, plan_id, plan_version, amount, due_at, expires_at,
      created_at, updated_at)
    select $1, new_id(), id, ${CYCLES_EACH + 1}, plan_id, 1, 4990, now() - interval '1 day', now() + interval '2 days', now(),
      now()
    from subscriptions where account_id = $1 and status in ('overdue', 'suspended') returning *
  )
  update subscriptions s set cycle_id = owed.id from owed where s.account_id = $1 and s.id = owed.subscription_id`;
