import type { AccountContext } from "@/lib/accounts/context";
import { monthBounds, monthOf } from "@/lib/calendar";
import { businessNow, iso } from "@/lib/clock";
import { readFor, type Tx } from "@/lib/db";
import { NO_PLAN } from "@/lib/earnings/collect";
import type { EarningPage, EarningQuery, TotalPage } from "@/lib/earnings/schema";
import { decimal } from "@/lib/money";
import { COUNTED, metaOf, type PageQuery, pageAfter, pageOfRead, skipOf, upTo } from "@/lib/pagination";
import type { Earning, EarningTotal } from "@/prisma/client/client";

/** What the account earned, the sale that was paid last first; of a month, of a plan, or all. */
export const listEarnings = ({ id: accountId }: AccountContext, query: EarningQuery): Promise<EarningPage> =>
  readFor(accountId, async (tx) => {
    const [from, until] = query.month ? monthBounds(query.month) : [undefined, undefined];
    const values: unknown[] = [accountId, query.plan ?? null, from ?? null, until ?? null];
    const counted = `select count(*)::int as found from (select from earnings e where ${WHICH} limit ${COUNTED + 1}) c`;
    const [count] = await tx.$queryRawUnsafe<{ found: number }[]>(counted, ...values);
    const { skip, take } = pageAfter(query);
    const text = `select ${COLUMNS} from earnings e where ${WHICH} and ${AFTER}
      order by e.paid_at desc, e.id desc offset ${skip} limit ${take}`;
    const rows = await tx.$queryRawUnsafe<EarningRow[]>(text, ...values, query.cursor ?? null);
    const { shown, meta } = pageOfRead(rows, upTo(count?.found ?? 0), query);
    const sources = await readSources(tx, shown);
    return { data: shown.map((row) => ({ ...presentEarning(row), ...sources(row) })), meta };
  });

type EarningRow = Pick<Earning, "id" | "sellerId" | "planId" | "method" | "basisPoints" | "amount" | "paidAt">;

const COLUMNS = `e.id, e.seller_id as "sellerId", e.plan_id as "planId", e.method, e.basis_points as "basisPoints",
  e.amount, e.paid_at as "paidAt"`;
const WHICH = `e.account_id = $1::uuid and ($2::uuid is null or e.plan_id = $2::uuid)
  and ($3::timestamptz is null or e.paid_at >= $3::timestamptz) and ($4::timestamptz is null or e.paid_at < $4::timestamptz)`;
const AFTER = `($5::uuid is null or (e.paid_at, e.id) <
  (select l.paid_at, l.id from earnings l where l.account_id = $1::uuid and l.id = $5::uuid))`;

const presentEarning = (row: EarningRow) => ({
  id: row.id,
  amount: decimal(row.amount),
  percentage: decimal(row.basisPoints),
  method: row.method,
  paid_at: iso(row.paidAt),
});

/** What the account earned by month, seller and plan, the last month first and in it the highest sum. */
export const listTotals = (account: AccountContext, query: PageQuery): Promise<TotalPage> =>
  readFor(account.id, async (tx) => {
    const where = { accountId: account.id };
    const total = await tx.earningTotal.count({ where });
    const rows = await tx.earningTotal.findMany({
      where,
      orderBy: [{ month: "desc" }, { amount: "desc" }, { sellerId: "asc" }, { planId: "asc" }],
      skip: skipOf(query),
      take: query.per_page,
    });
    const sources = await readSources(tx, rows);
    const this_month = await readMonth(tx, account.id, monthOf(businessNow(account)));
    const data = rows.map((row) => ({ ...presentTotal(row), ...sources(row) }));
    return { data, meta: { ...metaOf(total, query), this_month } };
  });

/** What the account earned in a month by all plans. */
async function readMonth(tx: Tx, accountId: string, month: string) {
  const where = { accountId, month: new Date(`${month}-01`) };
  const { _sum } = await tx.earningTotal.aggregate({ where, _sum: { number: true, amount: true } });
  return { month, sales: Number(_sum.number ?? 0), amount: decimal(_sum.amount ?? 0) };
}

const presentTotal = ({ month, number, amount }: EarningTotal) => ({
  month: month.toISOString().slice(0, 7),
  sales: Number(number),
  amount: decimal(amount),
});

type Source = { sellerId: string; planId: string | null };
type Offer = Source & { plan: string | null; product: string | null; seller: string; email: string };

/** Reads the sellers and plans that these earnings come from, each once. Returns how to present that of one. */
export async function readSources(tx: Tx, rows: readonly Source[]) {
  const keyOf = ({ sellerId, planId }: Source) => `${sellerId} ${planId ?? NO_PLAN}`;
  const keys = [...new Set(rows.map(keyOf))].map((key) => key.split(" "));
  const offers = await tx.$queryRawUnsafe<Offer[]>(
    SOURCES,
    keys.map(([seller]) => seller),
    keys.map(([, plan]) => plan),
  );
  const byKey = new Map(offers.map((offer) => [keyOf(offer), offer]));
  return (row: Source) => {
    const { plan, product = null, seller = "", email = "" } = byKey.get(keyOf(row)) ?? {};
    const token = row.planId ?? NO_PLAN;
    return { plan: plan ? { token, name: plan, product } : null, seller: { name: seller, email } };
  };
}

const SOURCES = `select k.seller_id as "sellerId", k.plan_id as "planId", o.name as plan, o.product,
    o.seller_name as seller, o.seller_email as email
  from unnest($1::uuid[], $2::uuid[]) as k(seller_id, plan_id) cross join lateral plan_offer(k.seller_id, k.plan_id) o`;
