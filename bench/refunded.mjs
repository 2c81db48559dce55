const REFUNDS = 100_000;
const API = "/api/partner/v1";
const LIST = `${API}/refunds`;
const STATUSES = ["pending", "approved", "processing", "completed", "rejected", "failed", "cancelled", "open"];
const NO_PLAN = "00000000-0000-0000-0000-000000000000";

/**
 * Refunds of the seller's newest paid sales, one of each: two in a hundred are open, most are completed. Of every sale the
 * recipient has a part, and of each refund it gave or gives back some.
 */
export async function fillRefunds(owner, sellerId, recipientId) {
  const startedAt = performance.now();
  const { rows } = await owner.query(REFUNDED, [sellerId, REFUNDS]);
  await owner.query(EVENTS, [sellerId]);
  await owner.query(SHARES, [sellerId, recipientId]);
  await owner.query(EARNED, [sellerId, recipientId, REFUNDS]);
  await owner.query(TOTALS, [recipientId]);
  await owner.query("vacuum analyze refunds, refund_shares, events, earnings, earning_totals");
  console.log(`  ${rows[0].count} refunds in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

/** The paths of each kind of read of refunds, and of what their recipient earned. */
export const readsOfRefunds = ({ cursors, codes, sales, days }) => {
  const of = (list) => (n) => list[n % list.length];
  const [cursor, code, sale, day] = [of(cursors), of(codes), of(sales), of(days)];
  return {
    refunds: () => LIST,
    "refunds, deep": (n) => `${LIST}?cursor=${cursor(n)}`,
    "refunds: page 600": () => `${LIST}?page=600`,
    ...Object.fromEntries(STATUSES.map((status) => [`refunds ${status}`, () => `${LIST}?status=${status}`])),
    "refunds of a month": (n) => `${LIST}?from=${day(n).slice(0, 8)}01&to=${day(n).slice(0, 8)}28`,
    "refunds of a month, rejected": (n) =>
      `${LIST}?status=rejected&from=${day(n).slice(0, 8)}01&to=${day(n).slice(0, 8)}28`,
    "refunds of a sale": (n) => `${LIST}?reference_id=${sale(n)}`,
    "one refund": (n) => `/api/dashboard/v1/refunds/${code(n)}`,
  };
};

/** The reads of the recipient. */
export const readsOfRecipient = ({ earned }) => ({
  earnings: () => `${API}/earnings`,
  "earnings, deep": (n) => `${API}/earnings?cursor=${earned[n % earned.length]}`,
  "earnings by month": () => `${API}/earnings/months`,
  "Home of a recipient": () => "/api/dashboard/v1/overview",
});

export async function sampleRefunds(owner, sellerId, recipientId) {
  const { rows: some } = await owner.query(
    "select id, transaction_id from refunds where account_id = $1 order by id desc offset $2 limit 200",
    [sellerId, REFUNDS * 0.9],
  );
  const { rows: earned } = await owner.query(
    "select id from earnings where account_id = $1 order by paid_at desc, id desc offset $2 limit 200",
    [recipientId, REFUNDS * 0.9],
  );
  return {
    cursors: some.map(({ id }) => id),
    codes: some.map(({ id }) => `rfd_${id.replaceAll("-", "")}`),
    sales: some.map((row) => row.transaction_id),
    earned: earned.map(({ id }) => id),
  };
}

/** SQL: the id of what happened at an instant, told apart by a number. */
export const idAt = (at, n) => `encode(overlay(uuid_send(gen_random_uuid()) placing
      int8send((floor(extract(epoch from ${at}) * 1000)::bigint << 16) | 28672 | (${n} & 4095)) from 1 for 8), 'hex')::uuid`;

const REFUNDED = `with made as (
    insert into refunds (account_id, id, mode, transaction_id, status, amount, fee, pending_amount, reason, reason_details,
      provider_receipt, approved_at, executed_at, completed_at, created_at, updated_at)
    select account_id, ${idAt("at", "n")}, 'sandbox', sale, status::"RefundStatus", amount, 150, 0, 'product_not_delivered', 'Extraviado',
      case when status = 'completed' then '{"provider": "simulator", "return_id": "D1"}'::jsonb end, at, at, at, at, at
    from (
      select account_id, id as sale, paid_at + interval '1 hour' as at, n, greatest(amount / 3, 1) as amount,
        case when n % 50 = 0 then (array['pending', 'approved', 'processing'])[1 + n / 50 % 3]
          when n % 10 < 7 then 'completed' else (array['rejected', 'failed', 'cancelled'])[n % 10 - 6] end as status
      from (
        select *, row_number() over (order by id desc)::int as n from transactions
        where account_id = $1 and status in ('completed', 'refunded') order by id desc limit $2
      ) paid
    ) refunded
    returning 1
  )
  select count(*)::int from made`;

const EVENTS = `insert into events (account_id, id, type, subject, subject_id, data, record, occurred_at)
  select r.account_id, ${idAt("r.created_at", "k.n * 2000")}, k.type, 'refund', r.id,
    jsonb_build_object('status', case k.n when 0 then 'pending' else r.status::text end), '{}', r.created_at
  from refunds r cross join (values (0, 'refund.created'), (1, 'refund.updated')) k(n, type)
  where r.account_id = $1 and (k.n = 0 or r.status <> 'pending')`;

const SHARES = `with made as (
    insert into refund_shares (account_id, id, refund_id, share_id, recipient_id, amount, is_held)
    select account_id, gen_random_uuid(), id, gen_random_uuid(), $2, greatest(amount / 10, 1), status in ('pending', 'approved', 'processing')
    from refunds where account_id = $1
    returning account_id, refund_id, amount, is_held
  )
  update refunds r set held_shares = m.amount from made m where r.account_id = m.account_id and r.id = m.refund_id and m.is_held`;

const EARNED = `insert into earnings (account_id, id, seller_id, transaction_id, method, basis_points, amount, returned_amount, paid_at)
  select $2, gen_random_uuid(), $1, id, method, 1000, greatest(amount / 10, 1), case when random() < 0.7 then amount / 30 else 0 end, paid_at
  from transactions where account_id = $1 and status in ('completed', 'refunded') order by id desc limit $3`;

const TOTALS = `insert into earning_totals (account_id, month, seller_id, plan_id, number, amount, returned_amount)
  select account_id, date_trunc('month', paid_at at time zone 'America/Sao_Paulo')::date, seller_id, '${NO_PLAN}', count(*),
    sum(amount), sum(returned_amount)
  from earnings where account_id = $1 group by 1, 2, 3`;
