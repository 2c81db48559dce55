import type { Row } from "@/lib/database/json-rows";
import { type Query, queryOf, readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { firstIdAt } from "@/lib/ids";
import { COUNTED, pageAfter, pageOfRead, upTo } from "@/lib/lists/pagination";
import { boundsOf, FIRST_ID, LAST_ID } from "@/lib/lists/period";
import { spendSlot } from "@/lib/rate-limits/spend-slot";
import { presentRefund } from "@/lib/refunds/present";
import { idOfCode, type RefundRecord, recordOf, refundOf } from "@/lib/refunds/record";
import type { RefundPage, RefundQuery } from "@/lib/refunds/schema";
import { returned } from "@/lib/reversals/returned";
import { openRefunds } from "@/lib/reversals/states";
import type { Refund } from "@/prisma/client/client";

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

/** What went back of a refund's sale with the refunds before it, in cents; it does not change while this one is open. */
export async function readReturnedBefore(query: Query, { accountId, id, transactionId }: Key): Promise<number> {
  const [sum] = await query<{ amount: number }>("refund_before", BEFORE, [accountId, transactionId, id]);
  return sum?.amount ?? 0;
}

type Key = Pick<Refund, "accountId" | "id" | "transactionId">;

const BEFORE = `select coalesce(sum(amount), 0)::float8 as amount from refunds
  where account_id = $1::uuid and transaction_id = $2::uuid and id <> $3::uuid and status = '${returned}'`;

/**
 * The account's refunds, newest first; `open` are those that have not ended. `cursor` continues after a record and costs as
 * much as the first page. Throws 422 for a page too far from the start.
 */
export const listRefunds = (accountId: string, query: RefundQuery): Promise<RefundPage> =>
  readFor(accountId, async (tx) => {
    const { since, until } = boundsOf(query);
    const [first, end] = [since ? firstIdAt(since) : FIRST_ID, until ? firstIdAt(until) : LAST_ID];
    const before = query.cursor && query.cursor.toLowerCase() < end ? query.cursor : end;
    const { skip, take } = pageAfter(query);
    const [ids, sale] = [idsOf(query), query.reference_id ?? null];
    const counted = `select count(*)::int as found from (${ids}) f`;
    const page = `select r.id, ${recordOf("r")} as record from (${ids} order by id desc offset $6::int limit $7::int) page
      cross join lateral (select * from refunds where account_id = $1::uuid and id = page.id offset 0) r order by r.id desc`;
    const run = queryOf(tx);
    const [count] = await run<{ found: number }>("", counted, [accountId, first, end, sale, COUNTED + 1]);
    const values = [accountId, first, before, sale, skip + take, skip, take];
    const rows = await run<{ id: string; record: Row }>("", page, values);
    const { shown, meta } = pageOfRead(rows, upTo(count?.found ?? 0), query);
    return { data: shown.map(({ record }) => presentRefund(refundOf(record))), meta };
  });

/**
 * SQL: the ids of refunds, the newest of each status, each branch read from an index of its own and no further than
 * parameter 5 says.
 */
function idsOf({ status }: RefundQuery): string {
  const branch = (only: string) => `(select id from refunds
    where account_id = $1::uuid and id >= $2::uuid and id < $3::uuid and ($4::uuid is null or transaction_id = $4::uuid)${only}
    order by id desc limit $5::int)`;
  const some = status === "open" ? openRefunds : status ? [status] : [];
  const branches = some.length > 0 ? some.map((one) => branch(` and status = '${one}'`)) : [branch("")];
  return `select id from (${branches.join(" union all ")}) branches`;
}
