import type { AccountContext } from "@/lib/accounts/context";
import { endOfDay, startOfDay } from "@/lib/calendar";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { metaOf, skipOf } from "@/lib/pagination";
import { presentListItem, presentTransactionV1, presentTransactionV2 } from "@/lib/transactions/present";
import type { Sale } from "@/lib/transactions/sale";
import type { TransactionPage, TransactionQuery } from "@/lib/transactions/schema";
import { typeOf } from "@/lib/transactions/states";
import type { Prisma } from "@/prisma/client/client";
import { TransactionMethod } from "@/prisma/client/enums";

/** Reads a sale. Throws `transaction_not_found`, also for another account's. */
export async function findTransaction(accountId: string, id: string): Promise<Sale> {
  const where = { accountId_id: { accountId, id } };
  const sale = await forAccount(accountId, (tx) => tx.transaction.findUnique({ where }));
  if (!sale) throw new AppError("transaction_not_found");
  return sale;
}

export const readTransactionV1 = async (accountId: string, id: string) => ({
  data: presentTransactionV1(await findTransaction(accountId, id)),
});

export const readTransactionV2 = async (accountId: string, id: string) => ({
  data: presentTransactionV2(await findTransaction(accountId, id)),
});

/**
 * Sales, newest first. `cursor` continues after a record and costs as much as the first page; `page` counts from the
 * start. `meta.counts` are the counts of the status tabs under the other filters.
 */
export function listTransactions(account: AccountContext, query: TransactionQuery): Promise<TransactionPage> {
  const { status, cursor, per_page } = query;
  const others = filters(account.id, query);
  const where = { ...others, ...(status && { status }) };
  return forAccount(account.id, async (tx) => {
    const groups = await tx.transaction.groupBy({ by: ["status"], where: others, _count: true });
    const rows = await tx.transaction.findMany({
      where: cursor ? { AND: [where, { id: { lt: cursor } }] } : where,
      orderBy: { id: "desc" },
      take: per_page + 1,
      skip: cursor ? 0 : skipOf(query),
    });
    const counts = Object.fromEntries(groups.map((group) => [group.status, group._count]));
    const all = groups.reduce((sum, group) => sum + group._count, 0);
    const data = rows.slice(0, per_page).map(presentListItem);
    return {
      data,
      meta: {
        ...metaOf(status ? (counts[status] ?? 0) : all, query),
        next_cursor: rows.length > per_page ? (data.at(-1)?.reference_id ?? null) : null,
        counts: { all, ...counts },
      },
    };
  });
}

function filters(accountId: string, { type, method, from, to, search }: TransactionQuery) {
  const where: Prisma.TransactionWhereInput = { accountId };
  if (type || method) where.method = { in: methodsOf(type, method) };
  if (from || to) where.createdAt = { ...(from && { gte: startOf(from) }), ...(to && { lt: endOf(to) }) };
  if (search) where.OR = searchFilters(search);
  return where;
}

/** The methods that pass both filters. A withdrawal is no sale, so `cash_out` leaves none. */
const methodsOf = (type: TransactionQuery["type"], method: TransactionQuery["method"]) =>
  Object.values(TransactionMethod).filter((one) => (!type || typeOf[one] === type) && (!method || one === method));

/** Whether a filter is a day; otherwise it is an instant. */
const isDay = (text: string) => text.length === 10;
const startOf = (text: string) => (isDay(text) ? startOfDay(text) : new Date(text));
const endOf = (text: string) => (isDay(text) ? endOfDay(text) : new Date(text));

/**
 * The indexed fields that a search may name: reference id, end-to-end id, txid, e-mail, document, a card's last four.
 */
function searchFilters(search: string): Prisma.TransactionWhereInput[] {
  const bare = search.replace(/[.\-/\s]/g, "").toUpperCase();
  return [
    ...(isId(search) ? [{ id: search.toLowerCase() }] : []),
    { endToEndId: search },
    { txid: search },
    { externalId: search },
    { clientEmail: search.toLowerCase() },
    { clientDocument: bare },
    { cardLast4: bare },
  ];
}
