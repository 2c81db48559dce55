import type { AccountContext } from "@/lib/accounts/context";
import { readFor, type Tx } from "@/lib/db";
import { readSources } from "@/lib/earnings/read-sources";
import type { EarningFilter, EarningPage, EarningQuery, MonthTotal, TotalPage } from "@/lib/earnings/schema";
import { COUNTED, metaOf, type PageQuery, pageAfter, pageOfRead, skipOf, upTo } from "@/lib/lists/pagination";
import { decimal } from "@/lib/money";
import { localTime, monthBounds, monthOf } from "@/lib/time/calendar";
import { businessNow, iso } from "@/lib/time/clock";
import type { Earning, EarningTotal } from "@/prisma/client/client";

/** What the account earned, the sale that was paid last first; of a month, of a plan, or all. */
export const listEarnings = ({ id: accountId }: AccountContext, query: EarningQuery): Promise<EarningPage> =>
  readFor(accountId, async (tx) => {
    const counted = `select count(*)::int as found from (select from earnings e where ${WHICH} limit ${COUNTED + 1}) c`;
    const [count] = await tx.$queryRawUnsafe<{ found: number }[]>(counted, ...valuesOf(accountId, query));
    const rows = await readRows(tx, accountId, query, { after: query.cursor, ...pageAfter(query) });
    const { shown, meta } = pageOfRead(rows, upTo(count?.found ?? 0), query);
    const sources = await readSources(tx, shown);
    return { data: shown.map((row) => ({ ...presentEarning(row), ...sources(row) })), meta };
  });

const CHUNK = 1_000;

/** The same, all of them, in batches of records of a CSV file. They are read a thousand at a time, with no transaction in between. */
export async function* exportEarnings({ id: accountId }: AccountContext, filter: EarningFilter) {
  let after: string | undefined;
  do {
    const chunk = await readFor(accountId, async (tx) => {
      const rows = await readRows(tx, accountId, filter, { after, skip: 0, take: CHUNK });
      const sources = await readSources(tx, rows);
      return rows.map((row) => ({ ...row, ...sources(row) }));
    });
    yield chunk.map(({ id, paidAt, seller, plan, basisPoints, planId, ...earned }) => {
      const { amount, returned, left } = amountsOf(earned);
      const part = [decimal(basisPoints), amount, returned, left].map((text) => ({ decimal: text }));
      const sold = [causeOf({ planId }), plan?.product ?? null, plan?.name ?? null];
      return [id, localTime(paidAt), seller.name, ...sold, ...part];
    });
    after = chunk.length === CHUNK ? chunk.at(-1)?.id : undefined;
  } while (after);
}

type Earned = { amount: bigint; returnedAmount: bigint };
type EarningRow = Pick<Earning, "id" | "sellerId" | "planId" | "method" | "basisPoints" | "paidAt"> & Earned;
type Place = { after: string | undefined; skip: number; take: number };

const readRows = (tx: Tx, accountId: string, filter: EarningFilter, { after, skip, take }: Place) =>
  tx.$queryRawUnsafe<EarningRow[]>(
    `select e.id, e.seller_id as "sellerId", e.plan_id as "planId", e.method, e.basis_points as "basisPoints", e.amount,
       e.returned_amount as "returnedAmount", e.paid_at as "paidAt"
     from earnings e where ${WHICH} and ${AFTER} order by e.paid_at desc, e.id desc offset ${skip} limit ${take}`,
    ...valuesOf(accountId, filter),
    after ?? null,
  );

const WHICH = `e.account_id = $1::uuid and ($2::uuid is null or e.plan_id = $2::uuid)
  and ($3::timestamptz is null or e.paid_at >= $3::timestamptz) and ($4::timestamptz is null or e.paid_at < $4::timestamptz)`;
const AFTER = `($5::uuid is null or (e.paid_at, e.id) <
  (select l.paid_at, l.id from earnings l where l.account_id = $1::uuid and l.id = $5::uuid))`;

function valuesOf(accountId: string, { month, plan }: EarningFilter): unknown[] {
  const [from, until] = month ? monthBounds(month) : [null, null];
  return [accountId, plan ?? null, from, until];
}

const causeOf = ({ planId }: Pick<EarningRow, "planId">) => (planId ? ("plan" as const) : ("sale" as const));

const amountsOf = ({ amount, returnedAmount }: Earned) => ({
  amount: decimal(amount),
  returned: decimal(returnedAmount),
  left: decimal(amount - returnedAmount),
});

const presentEarning = (row: EarningRow) => ({
  id: row.id,
  ...amountsOf(row),
  percentage: decimal(row.basisPoints),
  method: row.method,
  cause: causeOf(row),
  paid_at: iso(row.paidAt),
});

/** What the account earned by month, seller and plan, the last month first. */
export const listTotals = (account: AccountContext, query: PageQuery): Promise<TotalPage> =>
  readFor(account.id, async (tx) => {
    const where = { accountId: account.id };
    const total = await tx.earningTotal.count({ where, take: COUNTED });
    const rows = await tx.earningTotal.findMany({
      where,
      orderBy: [{ month: "desc" }, { sellerId: "desc" }, { planId: "desc" }], // the order of the key
      skip: skipOf(query),
      take: query.per_page,
    });
    const sources = await readSources(tx, rows);
    const this_month = await readMonth(tx, account.id, monthOf(businessNow(account)));
    const data = rows.map((row) => ({ ...presentTotal(row), ...sources(row) }));
    return { data, meta: { ...metaOf(total, query), this_month } };
  });

/** What the account earned in its clock's month by all plans. */
export const readThisMonth = (account: AccountContext) =>
  readFor(account.id, (tx) => readMonth(tx, account.id, monthOf(businessNow(account))));

/** What the account earned in a month by all plans. */
async function readMonth(tx: Tx, accountId: string, month: string): Promise<MonthTotal> {
  const where = { accountId, month: new Date(`${month}-01`) };
  const { _sum } = await tx.earningTotal.aggregate({
    where,
    _sum: { number: true, amount: true, returnedAmount: true },
  });
  const { number, amount, returnedAmount } = _sum;
  return {
    ...{ month, sales: Number(number ?? 0) },
    ...amountsOf({ amount: amount ?? 0n, returnedAmount: returnedAmount ?? 0n }),
  };
}

const presentTotal = ({ month, number, ...earned }: EarningTotal) => ({
  month: month.toISOString().slice(0, 7),
  sales: Number(number),
  ...amountsOf(earned),
});
