import { join } from "node:path";
import { root } from "../bin/settings.mjs";
import { measureReads, slowestOf } from "./reads.mjs";

const PRODUCTS = 200;
const PLANS_EACH = 20;
const SPLITS = 10_000;
const SELLERS = 50;
const MONTHS = 24;
const API = "/api/partner/v1";

/**
 * The lists of a seller with 200 products of 20 plans and 10,000 splits, and those of a recipient of them who earned by
 * `rows` sales of 50 sellers: each read alone, one after the other, as a person waits for it.
 */
export async function catalogue({ owner, fixtures, start }, { rows = 1_000_000, seconds }) {
  const [seller, recipient, ...others] = await fixtures.makeSellers(SELLERS + 1);
  const otherIds = others.map(({ accountId }) => accountId);
  await fill(owner, seller.accountId, recipient.accountId, otherIds, rows);
  const host = await start(join(root, "bench/host.mjs"));
  const known = await sample(owner, seller.accountId, recipient.accountId, rows);
  const reads = { ...sellersReads(known), ...recipientsReads(known) };
  const sellers = Object.keys(sellersReads(known));
  const tokenOf = (name) => (sellers.includes(name) ? seller.token : recipient.token);
  const measured = await measureReads(host.url, seconds, reads, tokenOf);
  await host.stop();
  const [first, deep] = ["earnings", "earnings, deep"].map((one) => measured.find(({ name }) => name === one));
  return [slowestOf(measured), { what: "deep over first, p50", value: deep.p50 / first.p50, atMost: 1.2 }];
}

const of = (list) => (n) => list[n % list.length];

const sellersReads = ({ products, plans }) => ({
  products: () => `${API}/products`,
  "products: search": (n) => `${API}/products?search=produto ${n % PRODUCTS}`,
  "one product": (n) => `${API}/products/${of(products)(n)}`,
  "a product's plans": (n) => `${API}/products/${of(products)(n)}/subscription-plans?per_page=100`,
  plans: () => `${API}/subscription-plans`,
  "plans: last page": () => `${API}/subscription-plans?page=${Math.ceil((PRODUCTS * PLANS_EACH) / 15)}`,
  "plans: search": (n) => `${API}/subscription-plans?search=plano ${n % PLANS_EACH}`,
  "one plan": (n) => `${API}/subscription-plans/${of(plans)(n)}`,
  "a plan's splits": (n) => `${API}/subscription-plans/${of(plans)(n)}/splits`,
  "splits sent": () => `${API}/subscription-splits?per_page=100`,
  "splits sent: page 600": () => `${API}/subscription-splits?page=600`,
  "splits sent: accepted": () => `${API}/subscription-splits?status=accepted`,
});

const recipientsReads = ({ plans, months, cursors }) => ({
  "splits received": () => `${API}/subscription-splits/mine?per_page=100`,
  "splits received: page 300": () => `${API}/subscription-splits/mine?page=300`,
  "splits received: pending": () => `${API}/subscription-splits/mine?status=pending`,
  earnings: () => `${API}/earnings`,
  "earnings, deep": (n) => `${API}/earnings?cursor=${of(cursors)(n)}`,
  "earnings of a month": (n) => `${API}/earnings?month=${of(months)(n)}`,
  "earnings of a plan": (n) => `${API}/earnings?plan=${of(plans)(n)}`,
  "earnings of a plan in a month": (n) => `${API}/earnings?plan=${of(plans)(n)}&month=${of(months)(n)}`,
  "earnings by month and plan": () => `${API}/earnings/months?per_page=100`,
  "earnings by month and plan: page 600": () => `${API}/earnings/months?page=600`,
});

/** Writes the rows by SQL as the owner, because a million sales would take an hour. */
async function fill(owner, sellerId, recipientId, otherIds, rows) {
  const startedAt = performance.now();
  await owner.query("select set_config('app.accounts', '*', false)");
  await owner.query(PLANS, [sellerId]);
  await owner.query(SENT, [sellerId, recipientId]);
  await owner.query(EARNED, [sellerId, recipientId, rows, otherIds]);
  await owner.query(TOTALS, [recipientId]);
  await owner.query("vacuum analyze products, plans, plan_versions, plan_splits, earnings, earning_totals");
  console.log(`  ${rows} earnings in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

const PLANS = `with product as (
    insert into products (id, account_id, name, description, created_at, updated_at)
    select new_id(), $1, 'Produto ' || n, 'Um produto', now(), now() from generate_series(1, ${PRODUCTS}) n
    returning id
  ), planned as materialized (
    select new_id() as id, product.id as product_id, n from product cross join generate_series(1, ${PLANS_EACH}) n
  ), version as (
    insert into plan_versions (account_id, plan_id, version, amount, periodicity_days, billing_advance_days,
      grace_period_days, max_retry_attempts, billing_method, created_at)
    select $1, id, 1, 4990, 30, 5, 3, 3, 'qr_code', now() from planned
  )
  insert into plans (id, account_id, product_id, name, description, display_order, created_at, updated_at)
  select id, $1, product_id, 'Plano ' || n, '', n, now(), now() from planned`;

/** Of each plan's splits every second is the recipient's: accepted, or pending for its e-mail. */
const SENT = `insert into plan_splits (account_id, plan_id, mode, email, name, basis_points, status, link_hash,
    recipient_id, invited_at, accepted_at)
  select $1, p.id, 'sandbox', case when k % 2 = 0 then r.email else 'guest' || k || '@example.com' end, 'Ana', 1000,
    case when k % 4 = 0 then 'accepted' else 'pending' end::"SplitStatus", sha256(k::text::bytea),
    case when k % 4 = 0 then r.id end, now(), case when k % 4 = 0 then now() end
  from (select id, row_number() over () as place from plans where account_id = $1) p
  join generate_series(1, ${SPLITS}) k on p.place = 1 + k % ${PRODUCTS * PLANS_EACH}
  cross join (select id, email from accounts where id = $2) r`;

/** The sales are of 50 sellers, the plans all of the first, and one in ten is of no plan. */
const EARNED = `insert into earnings (account_id, id, seller_id, transaction_id, plan_id, method, basis_points, amount, paid_at)
  select $2, new_id(), case when n % 10 < 9 then $1 else ($4::uuid[])[1 + n % cardinality($4::uuid[])] end, new_id(),
    case when n % 10 < 9 then p.ids[1 + n % cardinality(p.ids)] end, 'pix', 1000, 499,
    now() - (1 - n::float8 / $3::int) * interval '${MONTHS * 30} days'
  from generate_series(1, $3::int) n
  cross join (select array_agg(id) as ids from plans where account_id = $1) p`;

const TOTALS = `insert into earning_totals (account_id, month, seller_id, plan_id, number, amount)
  select account_id, date_trunc('month', paid_at at time zone 'America/Sao_Paulo')::date, seller_id,
    coalesce(plan_id, '00000000-0000-0000-0000-000000000000'), count(*), sum(amount)
  from earnings where account_id = $1 group by 1, 2, 3, 4`;

async function sample(owner, sellerId, recipientId, rows) {
  const idsOf = async (text, ...values) => (await owner.query(text, values)).rows.map(({ id }) => id);
  return {
    products: await idsOf("select id from products where account_id = $1", sellerId),
    plans: await idsOf("select id from plans where account_id = $1 limit 500", sellerId),
    cursors: await idsOf(
      "select id from earnings where account_id = $1 order by paid_at desc, id desc offset $2 limit 200",
      ...[recipientId, Math.floor(rows * 0.9)],
    ),
    months: await idsOf(
      "select distinct to_char(month, 'YYYY-MM') as id from earning_totals where account_id = $1",
      recipientId,
    ),
  };
}
