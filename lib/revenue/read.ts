import { readForStaff } from "@/lib/db";
import { invalid } from "@/lib/errors";
import { PLATFORM, type PostingType, postingsOf } from "@/lib/ledger/chart";
import { methodNames, methods } from "@/lib/methods/methods";
import { decimal } from "@/lib/money";
import type { Revenue, RevenueQuery } from "@/lib/revenue/schema";
import { inSql } from "@/lib/states";
import { DAY_MS, lastDays, startOfDay, TIME_ZONE } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";
import type { TransactionMethod } from "@/prisma/client/enums";

const BY_DEFAULT = 30;
const MAX_DAYS = 366;
/** How many accounts are named. */
const NAMED = 50;

/** The fee of a sale that was paid with unmatched money is counted with its sale. */
const OF_SALES = inSql([...methodNames.map((name) => methods[name].postings.completed), "unmatched_matched"]);

/** Cents by method, of a day or of an account; without a method it is no fee of a sale. */
type Row = {
  day: string | null;
  account_id: string | null;
  name: string | null;
  method: TransactionMethod | null;
  /** The posting of what is no fee of a sale. */
  type: string | null;
  fees: bigint;
};

/**
 * What the platform earned of live accounts in a period, by day, month, account, method and kind of posting: the fees of sales as they are counted
 * (lib/rollups), and every other posting to or from its fees by the ledger. A sale whose event waits is not in it yet.
 * Throws 422 for a period that is none or too long.
 */
export async function readRevenue({ from: since, to: until }: RevenueQuery): Promise<Revenue> {
  const days = lastDays(realNow(), BY_DEFAULT);
  const [from, to] = [since ?? days[0] ?? "", until ?? days.at(-1) ?? ""];
  const length = (startOfDay(to).getTime() - startOfDay(from).getTime()) / DAY_MS;
  if (length < 0 || length >= MAX_DAYS) throw invalid({ to: ["Escolha um período de até um ano."] });
  const rows = await readForStaff((tx) => tx.$queryRawUnsafe<Row[]>(FEES, from, to, PLATFORM));
  const byDay = rows.filter(({ day }) => day !== null);
  const ofDays = grouped(byDay, ({ day }) => day ?? "");
  const ofAccounts = grouped(rows, ({ account_id }) => account_id ?? "");
  ofAccounts.delete("");
  const ofMonths = grouped(byDay, ({ day }) => (day ?? "").slice(0, 7));
  const ofKinds = grouped(
    byDay.filter(({ type }) => type !== null),
    ({ type }) => type ?? "",
  );
  return {
    ...{ from, to, total: present(byDay) },
    kinds: feePostings.flatMap((type) => {
      const of = ofKinds.get(type);
      return of ? [{ type, amount: decimal(sumOf(of)) }] : [];
    }),
    months: [...ofMonths]
      .map(([month, of]) => ({ month, ...present(of) }))
      .toSorted((a, b) => (a.month < b.month ? 1 : -1)),
    days: [...ofDays].map(([day, of]) => ({ day, ...present(of) })).toSorted((a, b) => (a.day < b.day ? 1 : -1)),
    accounts: [...ofAccounts]
      .toSorted(([, a], [, b]) => Number(sumOf(b) - sumOf(a)))
      .map(([id, of]) => ({ id, name: of[0]?.name ?? "", ...present(of) })),
  };
}

/** Every posting to or from the platform's fees, in the order of the chart. */
const feePostings = postingsOf("fees") as PostingType[];

/** SQL: the index rollups_paid finds the counts, and ledger_entries_other_fees the rest. */
const FEES = `with fees as materialized (
    select to_char(r.day, 'YYYY-MM-DD') as day, r.account_id, r.method::text as method, null as type,
      sum(r.gross - r.net) as fees
    from rollups r join accounts a on a.id = r.account_id and a.mode = 'live'
    where r.basis = 'paid' and r.day > '-infinity' and r.day between $1::date and $2::date
    group by 1, 2, 3 having sum(r.gross - r.net) <> 0
    union all
    select to_char(e.created_at at time zone '${TIME_ZONE}', 'YYYY-MM-DD'), p.account_id, null, e.type,
      sum(e.amount)
    from ledger_entries e
    left join lateral (
      select o.account_id from ledger_entries o where o.posting_id = e.posting_id and o.account_id <> e.account_id limit 1
    ) p on true
    where e.kind = 'fees' and e.type not in ('deposit_completed', 'card_completed') and e.type not in ${OF_SALES} and e.account_id = $3::uuid
      and e.created_at >= $1::date::timestamp at time zone '${TIME_ZONE}'
      and e.created_at < ($2::date + 1)::timestamp at time zone '${TIME_ZONE}'
    group by 1, 2, 4
  ), most as (
    select account_id from fees where account_id is not null group by 1 order by sum(fees) desc limit ${NAMED}
  )
  select day, null::uuid as account_id, null as name, method, type, sum(fees)::bigint as fees from fees group by day, method, type
  union all
  select null, f.account_id, a.name, f.method, null, sum(f.fees)::bigint
  from most join fees f using (account_id) join accounts a on a.id = f.account_id group by 2, 3, 4`;

function grouped(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

const sumOf = (rows: readonly Row[]) => rows.reduce((sum, { fees }) => sum + fees, 0n);

function present(rows: readonly Row[]) {
  const methods = [...new Set(rows.flatMap(({ method }) => method ?? []))].toSorted();
  const of = (method: TransactionMethod | null) => decimal(sumOf(rows.filter((row) => row.method === method)));
  return {
    sales: Object.fromEntries(methods.map((method) => [method, of(method)])),
    others: of(null),
    total: decimal(sumOf(rows)),
  };
}
