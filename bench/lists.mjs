import { join } from "node:path";
import { root } from "../bin/settings.mjs";
import { measureReads, slowestOf } from "./reads.mjs";
import { fillRefunds, idAt, readsOfRecipient, readsOfRefunds, sampleRefunds } from "./refunded.mjs";

const OTHERS = 1_000;
const SALES_OF_OTHERS = 1_000;
const DAYS = 365;
const CLIENTS = 50_000;
const PER_PAGE = 15;
const DEEP_PAGE = 20_000;
const LIST = `/api/partner/v2/transactions?per_page=${PER_PAGE}`;

/**
 * Lists, searches, Home and one sale, of a seller with `rows` sales, of which up to 100,000 have a refund, beside a thousand
 * sellers with a thousand each, and what a recipient earned by those: each read alone, one after the other, as a person waits for it.
 */
export async function lists({ owner, fixtures, start }, { rows = 1_000_000, seconds }) {
  const [seller, recipient] = await fixtures.makeSellers(2);
  await fill(owner, seller.accountId, rows);
  await fillRefunds(owner, seller.accountId, recipient.accountId);
  const startedAt = performance.now();
  await fixtures.rebuildRollups();
  console.log(`  counted anew in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  const host = await start(join(root, "bench/host.mjs"));
  const known = await sample(owner, seller.accountId, rows);
  const refunded = await sampleRefunds(owner, seller.accountId, recipient.accountId);
  const recipients = readsOfRecipient(refunded);
  const reads = { ...readsOf(known), ...readsOfRefunds({ ...refunded, days: known.days }), ...recipients };
  const tokenOf = (name) => (name in recipients ? recipient : seller).token;
  const measured = await measureReads(host.url, seconds, reads, tokenOf);
  await host.stop();
  const [first, deep] = ["first page", `page ${DEEP_PAGE} by cursor`].map((one) =>
    measured.find(({ name }) => name === one),
  );
  return [slowestOf(measured), { what: "deep over first, p50", value: deep.p50 / first.p50, atMost: 1.2 }];
}

/** The paths of each kind of read, each varied by the number of the read. */
function readsOf({ cursors, sales, days }) {
  const of = (list) => (n) => list[n % list.length];
  const [cursor, sale, day] = [of(cursors), of(sales), of(days)];
  const search = (column) => {
    const with_ = of(sales.filter((one) => one[column]));
    return (n) => `${LIST}&search=${encodeURIComponent(with_(n)[column])}`;
  };
  const statuses = ["pending", "completed", "expired", "refused", "refunded", "disputed", "failed", "chargedback"];
  return {
    "first page": () => LIST,
    [`page ${DEEP_PAGE} by cursor`]: (n) => `${LIST}&cursor=${cursor(n)}`,
    "page 600 by number": () => `${LIST}&page=600`,
    ...Object.fromEntries(statuses.map((status) => [`status ${status}`, () => `${LIST}&status=${status}`])),
    "status completed, deep": (n) => `${LIST}&status=completed&cursor=${cursor(n)}`,
    "method pix": () => `${LIST}&method=pix`,
    "type card": () => `${LIST}&type=card`,
    "method card, deep": (n) => `${LIST}&method=credit_card&cursor=${cursor(n)}`,
    "status and method": () => `${LIST}&method=pix&status=completed`,
    "one day": (n) => `${LIST}&from=${day(n)}&to=${day(n)}`,
    "month of one status": (n) => `${LIST}&from=${day(n).slice(0, 8)}01&to=${day(n).slice(0, 8)}28&status=expired`,
    "month of one method": (n) => `${LIST}&from=${day(n).slice(0, 8)}01&to=${day(n).slice(0, 8)}28&type=card`,
    "until a day long ago": () => `${LIST}&to=${days.at(-1)}`,
    "between instants": (n) => `${LIST}&from=${day(n)}T10:30:00Z&to=${day(n)}T17:45:00Z`,
    "since an instant, of one status": () => `${LIST}&from=${days.at(-1)}T10:30:00Z&status=refused`,
    "search: reference id": search("id"),
    "search: end-to-end id": search("end_to_end_id"),
    "search: txid": search("txid"),
    "search: external id": search("external_id"),
    "search: e-mail": search("client_email"),
    "search: e-mail of many": () => `${LIST}&search=balcao@example.com`,
    "search: e-mail of many, refused": () => `${LIST}&search=balcao@example.com&status=chargedback`,
    "search: document": search("client_document"),
    "search: last four": search("card_last4"),
    "search: nothing": (n) => `${LIST}&search=nothing-${n}`,
    Home: () => "/api/dashboard/v1/overview",
    "one sale": (n) => `/api/dashboard/v1/transactions/${sale(n).id}`,
  };
}

/** Writes the sales by SQL as the owner, because a million requests would take an hour. */
async function fill(owner, accountId, rows) {
  const startedAt = performance.now();
  await owner.query("select set_config('app.accounts', '*', false)");
  await owner.query(
    `insert into accounts select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'twin_id', null))).*
     from accounts a cross join generate_series(1, $2) where a.id = $1`,
    [accountId, OTHERS],
  );
  await owner.query(SALES, [[accountId], rows]);
  const { rows: others } = await owner.query(
    "select id from accounts where id <> $1 and mode = 'sandbox' and twin_id is null limit $2",
    [accountId, OTHERS],
  );
  await owner.query(SALES, [others.map(({ id }) => id), OTHERS * SALES_OF_OTHERS]);
  await owner.query("vacuum analyze transactions");
  await owner.query("checkpoint");
  console.log(`  ${rows + OTHERS * SALES_OF_OTHERS} sales in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

/**
 * $2 sales, of the accounts $1 in turn: over a year, three of four by Pix, most paid or expired, of clients who come
 * again. One in thirty is of one e-mail address, as a shop's counter gives its own.
 */
const SALES = `insert into transactions (account_id, id, method, status, amount, fee, net, description, external_id,
    client_name, client_email, client_document, client_phone, txid, pix_code, end_to_end_id, payer, card_brand, card_last4,
    installments, user_agent, refused_reason, expires_at, paid_at, created_at, updated_at)
  select s.account_id, ${idAt("s.at", "s.n")},
    s.method::"TransactionMethod", s.status::"TransactionStatus", s.amount, s.amount / 50, s.amount - s.amount / 50,
    'Pedido ' || s.n, 'pedido-' || s.n, 'Cliente ' || s.client,
    case when s.n % 30 = 0 then 'balcao@example.com' else 'cliente' || s.client || '@example.com' end,
    lpad((s.client * 7919 % 99999999999)::text, 11, '0'), '11999998888',
    case when s.method = 'pix' then md5(s.account_id || ' ' || s.n) end,
    case when s.method = 'pix' then repeat(md5(s.n::text), 5) end,
    case when s.method = 'pix' and s.is_paid then 'E12345678' || substr(md5(s.account_id || 'e' || s.n), 1, 23) end,
    case when s.method = 'pix' and s.is_paid then '{"name": "Ana", "document": "52998224725", "ispb": "12345678"}'::jsonb end,
    case when s.method = 'card' then 'visa' end, case when s.method = 'card' then lpad((s.client % 10000)::text, 4, '0') end,
    case when s.method = 'card' then 1 end, case when s.method = 'card' then 'Mozilla/5.0 (X11; Linux x86_64)' end,
    case when s.status = 'refused' then 'insufficient_funds' end,
    case when s.method = 'pix' then s.at + interval '1 day' end, case when s.is_paid then s.at + interval '3 minutes' end,
    s.at, s.at + interval '3 minutes'
  from (
    select *, status in ('completed', 'disputed', 'refunded', 'chargedback') as is_paid
    from (
      select n, accounts[1 + n % cardinality(accounts)] as account_id, method, client, amount,
        date_trunc('milliseconds', now() - interval '1 minute' - (1 - n::float8 / $2::int) * interval '${DAYS} days') as at,
        case
          when n > $2::int * 0.997 and method = 'pix' and chance < 0.3 then 'pending'
          when chance < 0.72 then 'completed'
          when chance < 0.95 then case method when 'pix' then 'expired' else 'refused' end
          when chance < 0.97 then 'failed'
          when chance < 0.99 then 'refunded'
          when chance < 0.997 then 'disputed'
          else 'chargedback'
        end as status
      from (
        select n, $1::uuid[] as accounts, case when random() < 0.75 then 'pix' else 'card' end as method,
          floor(power(random(), 2) * ${CLIENTS})::int as client, 500 + floor(random() * 50000)::bigint as amount,
          random() as chance
        from generate_series(1, $2::int) n
      ) drawn
    ) made
  ) s`;

/** Ids at the depth of the page, sales from all over, and days of every month. */
async function sample(owner, accountId, rows) {
  const deep = Math.min(DEEP_PAGE * PER_PAGE, Math.floor(rows * 0.9));
  const { rows: cursors } = await owner.query(
    "select id from transactions where account_id = $1 order by id desc offset $2 limit 200",
    [accountId, deep],
  );
  const { rows: sales } = await owner.query(
    `select t.* from generate_series(1, 200) n cross join lateral (
       select * from transactions where account_id = $1 order by id desc offset n * $2::int limit 1
     ) t`,
    [accountId, Math.floor(rows / 500)],
  );
  const days = Array.from({ length: 11 }, (_, month) => {
    const at = new Date(Date.now() - (month + 0.5) * 30 * 86_400_000);
    return at.toISOString().slice(0, 10);
  });
  return { cursors: cursors.map(({ id }) => id), sales, days };
}
