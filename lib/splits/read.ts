import { readFor, type Tx } from "@/lib/db";
import type { Share } from "@/lib/splits/share";

/**
 * The shares of these sales, each sale's in the order in which they were agreed. Of a sale of an account out of scope
 * only the shares of recipients in scope are read.
 */
export async function readShares(
  tx: Tx,
  saleIds: readonly string[],
): Promise<(Share & { accountId: string; transactionId: string })[]> {
  const where = { transactionId: { in: [...saleIds] } };
  const rows = await tx.share.findMany({ where, orderBy: [{ transactionId: "asc" }, { place: "asc" }] });
  return rows.map(({ place: _, amount, ...share }) => ({ ...share, amount: Number(amount) }));
}

/** The shares of one of the account's sales. */
export const readSharesOf = (accountId: string, saleId: string): Promise<Share[]> =>
  readFor(accountId, (tx) => readShares(tx, [saleId]));

/**
 * SQL: the shares of one sale as JSON (`Share[]`), in the order in which they were agreed. `saleId` is an expression of
 * the outer query.
 */
export const sharesOfSale = (saleId: string) => `select coalesce(json_agg(json_build_object('id', id,
      'recipientId', recipient_id, 'name', name, 'basisPoints', basis_points, 'amount', amount) order by place), '[]')
    from shares where transaction_id = ${saleId}`;
