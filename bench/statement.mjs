import { join } from "node:path";
import { root } from "../bin/settings.mjs";
import { table } from "./figures.mjs";
import { measureReads } from "./reads.mjs";
import { idAt } from "./refunded.mjs";

const OTHERS = 1_000;

const DAYS = 365;
/** How much older the money is that the seller has before: entries are in the order of their numbers. */
const FIRST = `${DAYS + 1} days`;
const API = "/api/partner/v1/statement";
const LIST = `${API}?per_page=25`;
const MEGABYTE = 1024 * 1024;

/**
 * The statement of a seller with `rows` lines over a year, beside a thousand sellers with a thousand each: pages, filters,
 * balances of a moment, the closings of its months, and the whole of it as a file.
 */
export async function statement({ owner, fixtures, start }, { rows = 1_000_000, seconds, rounds }) {
  const [seller] = await fixtures.makeSellers(1);
  await fill(owner, seller.accountId, rows);
  await fold(owner, fixtures);
  const host = await start(join(root, "bench/host.mjs"));
  const known = await sample(owner, seller.accountId);
  const measured = await measureReads(host.url, seconds, readsOf(known), () => seller.token);
  const files = [];
  for (let round = 0; round < rounds; round++) {
    for (const format of ["raw", "excel"]) files.push(await exportAll(host, seller.token, format));
  }
  await host.stop();
  table([["export", "lines", "lines a second", "MB", "most MB resident"], ...files.map(({ cells }) => cells)]);
  const lines = files.map(({ lines }) => lines);
  if (new Set(lines).size > 1 || lines[0] < rows) throw new Error(`Void: the files have ${lines} lines`);
  const p95 = (name) => measured.find((one) => one.name === name).p95;
  const slowest = measured.reduce((one, other) => (one.p95 >= other.p95 ? one : other));
  return [
    { what: "first page, p95 ms", value: p95("first page"), atMost: 50, digits: 1 },
    { what: "last page, p95 ms", value: p95("last page"), atMost: 50, digits: 1 },
    { what: `the slowest p95 (${slowest.name}), ms`, value: slowest.p95, atMost: 50, digits: 1 },
    { what: "export, lines a second", value: Math.min(...files.map(({ rate }) => rate)), atLeast: 20_000, digits: 0 },
    { what: "export, MB resident", value: Math.max(...files.map(({ rss }) => rss)) / MEGABYTE, atMost: 300, digits: 0 },
  ];
}

function readsOf({ cursors, days }) {
  const of = (list) => (n) => list[n % list.length];
  const [cursor, day] = [of(cursors), of(days)];
  const month = (n) => `from=${day(n).slice(0, 8)}01&to=${day(n).slice(0, 8)}28`;
  const abouts = ["sales", "splits", "refunds", "fees", "adjustments", "withdrawals"];
  return {
    "first page": () => LIST,
    "last page": () => `${LIST}&newer=0`,
    "deep, on": (n) => `${LIST}&cursor=${cursor(n)}`,
    "deep, back": (n) => `${LIST}&newer=${cursor(n)}`,
    "page 300 by number": () => `${LIST}&page=300`,
    "a hundred lines": (n) => `${API}?per_page=100&cursor=${cursor(n)}`,
    "one balance": () => `${LIST}&balance=blocked`,
    "one balance, deep": (n) => `${LIST}&balance=blocked&cursor=${cursor(n)}`,
    ...Object.fromEntries(abouts.map((about) => [`about ${about}`, () => `${LIST}&about=${about}`])),
    "about fees, deep": (n) => `${LIST}&about=fees&cursor=${cursor(n)}`,
    "about adjustments, last page": () => `${LIST}&about=adjustments&newer=0`,
    "one day": (n) => `${LIST}&from=${day(n)}&to=${day(n)}`,
    "a month": (n) => `${LIST}&${month(n)}`,
    "a month of refunds": (n) => `${LIST}&${month(n)}&about=refunds`,
    "between instants": (n) => `${LIST}&from=${day(n)}T10:30:00Z&to=${day(n)}T17:45:00Z`,
    "balance at an instant long ago": (n) => `${LIST}&to=${day(n)}T12:00:00Z`,
    months: () => `${API}/months`,
    "one month": (n) => `${API}/months?month=${day(n).slice(0, 7)}`,
  };
}

/** Writes the ledger by SQL as the owner, because a million sales would take an hour; the tail is folded afterwards. */
async function fill(owner, accountId, rows) {
  const startedAt = performance.now();
  await owner.query("select set_config('app.accounts', '*', false)");
  await owner.query("set session_replication_role = replica");
  await owner.query("update ledger_entries set created_at = created_at - $2::interval where account_id = $1", [
    accountId,
    FIRST,
  ]);
  await owner.query("update ledger_days set day = day - $2::interval where account_id = $1", [accountId, FIRST]);
  const { rows: made } = await owner.query(
    `with made as (
       insert into accounts select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'twin_id', null))).*
       from accounts a cross join generate_series(1, $2) where a.id = $1 returning id
     ) select id from made`,
    [accountId, OTHERS],
  );
  const others = made.map(({ id }) => id);
  await owner.query(
    "create temporary table sold (account_id uuid, n int, at timestamptz, sale uuid, share uuid, refund uuid, adjustment uuid)",
  );
  for (const [ids, lines] of [
    [[accountId], rows],
    [others, rows],
  ]) {
    await owner.query(SOLD, [ids, lines / 2]);
  }
  for (const text of [SALES, SHARES, REFUNDS, ADJUSTMENTS, ENTRIES, TAIL]) await owner.query(text);
  await owner.query("drop table sold; set session_replication_role = origin");
  await owner.query("vacuum analyze transactions, shares, refunds, ledger_entries, ledger_tail, adjustments");
  console.log(`  ${rows + rows} lines in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
}

/** $2 sales of the accounts $1 in turn over a year; of every second one a recipient has a part, every eighth is refunded, and a few are the reason of an adjustment. */
const SOLD = `insert into sold
  select account_id, n, at, ${idAt("at", "n")}, case when n % 2 = 0 then gen_random_uuid() end,
    case when n % 8 = 1 then ${idAt("at", "n")} end, case when n % 5000 = 1 then ${idAt("at", "n")} end
  from (
    select n, ($1::uuid[])[1 + n % cardinality($1::uuid[])] as account_id,
      now() - interval '1 minute' - (1 - n::float8 / $2::int) * interval '${DAYS} days' as at
    from generate_series(1, $2::int) n
  ) s`;

const SALES = `insert into transactions (account_id, id, method, status, amount, fee, net, description, paid_at, created_at, updated_at)
  select account_id, sale, 'pix', 'completed', 10000, 200, 9800, 'Pedido ' || n, at, at, at from sold`;

const SHARES = `insert into shares (id, account_id, transaction_id, place, recipient_id, name, basis_points, amount)
  select share, account_id, sale, 0, account_id, 'Recebedor ' || n % 100, 1000, 980 from sold where share is not null`;

const REFUNDS = `insert into refunds (account_id, id, mode, transaction_id, status, amount, fee, pending_amount, reason, created_at, updated_at)
  select account_id, refund, 'sandbox', sale, 'completed', 4000, 150, 0, 'product_not_delivered', at, at from sold
  where refund is not null`;

/** A sale is a line; a share another; a refund four, of which the last is its fee. */
const ENTRIES = `insert into ledger_entries (account_id, posting_id, type, source_id, kind, amount, created_at)
  select account_id, md5(sale || e.posting)::uuid, e.type, e.source, e.kind, e.amount, at from sold
  cross join lateral (values
    (1, '1', 'deposit_completed', sale, 'available', 9800),
    (2, '2', 'split_paid', share, 'available', -980),
    (3, '3', 'refund_requested', refund, 'available', -4150), (4, '3', 'refund_requested', refund, 'blocked', 4150),
    (5, '4', 'refund_completed', refund, 'blocked', -4000), (6, '4', 'refund_completed', refund, 'blocked', -150),
    (7, '5', 'adjustment_credited', adjustment, 'available', 100)
  ) e(place, posting, type, source, kind, amount)
  where e.source is not null order by at, account_id, e.place`;

const TAIL = `insert into ledger_tail (account_id, kind, entry_id, amount)
  select e.account_id, e.kind, e.id, e.amount from ledger_entries e where e.account_id in (select account_id from sold)
  on conflict do nothing`;

/** A few adjustments, so that one topic is rare. */
const ADJUSTMENTS = `insert into adjustments (account_id, id, direction, amount, reason, created_at)
  select account_id, adjustment, 'credit', 100, 'Acordo ' || n, at from sold where adjustment is not null`;

/** What the product's own fold takes for all of it. */
async function fold(owner, fixtures) {
  const startedAt = performance.now();
  const { rows } = await owner.query("select count(*)::int as entries from ledger_tail");
  await fixtures.foldAll();
  const took = performance.now() - startedAt;
  console.log(
    `  ${rows[0].entries} entries folded in ${(took / 1000).toFixed(1)} s, ${((rows[0].entries / took) * 1000).toFixed(0)} a second`,
  );
  await owner.query("vacuum analyze ledger_tail, ledger_days, ledger_snapshots");
  await owner.query("checkpoint");
}

async function sample(owner, accountId) {
  const { rows } = await owner.query(
    `select e.id::text from generate_series(1, 200) n cross join lateral (
       select id from ledger_entries where account_id = $1 and created_at < now() - n * interval '1 day 13 hours'
       order by id desc limit 1
     ) e`,
    [accountId],
  );
  const days = Array.from({ length: 11 }, (_, month) => {
    const at = new Date(Date.now() - (month + 0.5) * 30 * 86_400_000);
    return at.toISOString().slice(0, 10);
  });
  return { cursors: rows.map(({ id }) => id), days };
}

/** Reads the whole file, counting its lines. */
async function exportAll(host, token, format) {
  await host.ask();
  const startedAt = performance.now();
  const response = await fetch(`${host.url}${API}/export?format=${format}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (response.status !== 200) throw new Error(`Void: the export gave ${response.status}`);
  let [lines, bytes] = [-1, 0];
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++;
  }
  const rate = lines / ((performance.now() - startedAt) / 1000);
  const { rss } = await host.ask();
  const mb = (value) => (value / MEGABYTE).toFixed(0);
  return { lines, rate, rss, cells: [format, lines, rate.toFixed(0), mb(bytes), mb(rss)] };
}
