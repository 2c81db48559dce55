import type { Row } from "@/lib/database/json-rows";
import { type Query, queryOf, readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { COUNTED, pageAfter, pageOfRead, upTo } from "@/lib/lists/pagination";
import { spendSlot } from "@/lib/rate-limits/spend-slot";
import { presentRefund } from "@/lib/refunds/present";
import { idOfCode, type RefundRecord, recordOf, refundOf } from "@/lib/refunds/record";
import type { RefundQuery } from "@/lib/refunds/schema";

/**
 * Looks up a refund by its code. Throws `rate_limit_exceeded`, and `refund_not_found` alike for what is no code, an unknown one
 * and another account's.
 */
export async function readRefund(accountId: string, code: string) {
  await spendSlot("refund-lookup", accountId);
  return readFor(accountId, async (tx) => ({
    data: presentRefund(await findRefund(queryOf(tx), accountId, idOfCode(code))),
  }));
}

/** A refund's record. Throws `refund_not_found`, also for another account's. */
export async function findRefund(query: Query, accountId: string, id: string | undefined): Promise<RefundRecord> {
  const [found] = id ? await query<{ record: Row }>("refund_find", FIND, [accountId, id]) : [];
  if (!found) throw new AppError("refund_not_found");
  return refundOf(found.record);
}

const FIND = `select ${recordOf("r")} as record from refunds r where r.account_id = $1::uuid and r.id = $2::uuid`;

/** The account's refunds, newest first. */
export const listRefunds = (accountId: string, { status, reference_id: transactionId, ...query }: RefundQuery) =>
  readFor(accountId, async (tx) => {
    const where = { accountId, ...(status && { status }), ...(transactionId && { transactionId }) };
    const counted = await tx.refund.findMany({ where, select: { id: true }, take: COUNTED + 1 });
    const after = query.cursor ? { ...where, id: { lt: query.cursor } } : where;
    const rows = await tx.refund.findMany({ where: after, select: { id: true }, ...pageAfter(query) });
    const { shown, meta } = pageOfRead(rows, upTo(counted.length), query);
    const records = await queryOf(tx)<{ record: Row }>("", FIND_SOME, [accountId, shown.map(({ id }) => id)]);
    return { data: records.map(({ record }) => presentRefund(refundOf(record))), meta };
  });

const FIND_SOME = `select ${recordOf("r")} as record from refunds r
  where r.account_id = $1::uuid and r.id = any($2::uuid[]) order by r.id desc`;
