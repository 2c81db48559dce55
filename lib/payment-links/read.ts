import type { AccountContext } from "@/lib/accounts/context";
import { readFor, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { pageAfter, pageOfRead } from "@/lib/lists/pagination";
import { presentPaymentLink, withProduct } from "@/lib/payment-links/present";
import type { PaymentLinkQuery } from "@/lib/payment-links/schema";
import { businessNow } from "@/lib/time/clock";
import { paid } from "@/lib/transactions/states";

/** The account's payment links, newest first; `search` looks into their descriptions. */
export const listPaymentLinks = (account: AccountContext, { status, search, ...query }: PaymentLinkQuery) =>
  readFor(account.id, async (tx) => {
    const where = {
      accountId: account.id,
      ...(status && { status }),
      ...(search && { description: { contains: search, mode: "insensitive" as const } }),
    };
    const total = await tx.paymentLink.count({ where });
    const after = query.cursor ? { ...where, id: { lt: query.cursor } } : where;
    const rows = await tx.paymentLink.findMany({ where: after, ...pageAfter(query), include: withProduct });
    const { shown, meta } = pageOfRead(rows, { total, isExact: true }, query);
    const counts = await countPayments(tx, account.id, shown);
    const now = businessNow(account);
    return { data: shown.map((row) => presentPaymentLink(row, counts.get(row.id) ?? 0, now)), meta };
  });

/** Throws `payment_link_not_found`. */
export const readPaymentLink = (account: AccountContext, id: string) =>
  readFor(account.id, async (tx) => ({ data: await presentFound(tx, account, id) }));

/** A link as it is in this transaction. Throws `payment_link_not_found`, also for another account's. */
export async function presentFound(tx: Tx, account: AccountContext, id: string) {
  const key = { accountId_id: { accountId: account.id, id } };
  const row = await tx.paymentLink.findUnique({ where: key, include: withProduct });
  if (!row) throw new AppError("payment_link_not_found");
  const counts = await countPayments(tx, account.id, [row]);
  return presentPaymentLink(row, counts.get(id) ?? 0, businessNow(account));
}

/** How many payments each link has had, whatever happened to them later. */
async function countPayments(tx: Tx, accountId: string, links: readonly { id: string }[]) {
  const rows = await tx.transaction.groupBy({
    by: ["paymentLinkId"],
    where: { accountId, paymentLinkId: { in: links.map(({ id }) => id) }, status: { in: [...paid] } },
    _count: true,
  });
  return new Map(rows.map(({ paymentLinkId, _count }) => [paymentLinkId, _count]));
}
