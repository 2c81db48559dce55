import type { Row } from "@/lib/database/json-rows";
import { type Query, queryOf, readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { firstIdAt } from "@/lib/ids";
import { COUNTED, type CursorQuery, pageAfter, pageOfRead, upTo } from "@/lib/lists/pagination";
import { boundsOf, FIRST_ID, LAST_ID, type Period } from "@/lib/lists/period";
import { presentWithdrawal } from "@/lib/withdrawals/present";
import { recordOf, type WithdrawalRecord, withdrawalOf } from "@/lib/withdrawals/record";
import type { WithdrawalAnswer, WithdrawalPage, WithdrawalQuery } from "@/lib/withdrawals/schema";
import { openWithdrawals } from "@/lib/withdrawals/states";
import type { WithdrawalStatus } from "@/prisma/client/enums";

/** A withdrawal's record. Throws `withdrawal_not_found`, also for another account's. */
export async function findWithdrawal(query: Query, accountId: string, id: string): Promise<WithdrawalRecord> {
  const [found] = await query<{ record: Row }>("withdrawal_find", FIND, [accountId, id]);
  if (!found) throw new AppError("withdrawal_not_found");
  return withdrawalOf(found.record);
}

const FIND = `select ${recordOf("w")} as record from withdrawals w where w.account_id = $1::uuid and w.id = $2::uuid`;

/** A withdrawal of an account. Throws `withdrawal_not_found`. */
export const readWithdrawal = (accountId: string, id: string): Promise<WithdrawalAnswer> =>
  readFor(accountId, async (tx) => ({ data: presentWithdrawal(await findWithdrawal(queryOf(tx), accountId, id)) }));

/**
 * The account's withdrawals, newest first; `open` are those that have not ended. `cursor` continues after a record and costs as
 * much as the first page. Throws 422 for a page too far from the start.
 */
export async function listWithdrawals(
  accountId: string,
  { status, ...query }: WithdrawalQuery,
): Promise<WithdrawalPage> {
  const statuses = status === "open" ? openWithdrawals : status ? [status] : [];
  const { records, meta } = await listRecords(accountId, { ...query, statuses });
  return { data: records.map(presentWithdrawal), meta };
}

type Asked = CursorQuery & Period & { statuses: readonly WithdrawalStatus[] };

/** A page of an account's withdrawals of these statuses, of all where there are none, newest first. */
export const listRecords = (accountId: string, { statuses, ...query }: Asked) =>
  readFor(accountId, async (tx) => {
    const { since, until } = boundsOf(query);
    const [first, end] = [since ? firstIdAt(since) : FIRST_ID, until ? firstIdAt(until) : LAST_ID];
    const before = query.cursor && query.cursor.toLowerCase() < end ? query.cursor : end;
    const { skip, take } = pageAfter(query);
    const ids = idsOf(statuses);
    const counted = `select count(*)::int as found from (${ids}) f`;
    const page = `select w.id, ${recordOf("w")} as record from (${ids} order by id desc offset $5::int limit $6::int) page
      cross join lateral (select * from withdrawals where account_id = $1::uuid and id = page.id offset 0) w order by w.id desc`;
    const run = queryOf(tx);
    const [count] = await run<{ found: number }>("", counted, [accountId, first, end, COUNTED + 1]);
    const rows = await run<{ id: string; record: Row }>("", page, [accountId, first, before, skip + take, skip, take]);
    const { shown, meta } = pageOfRead(rows, upTo(count?.found ?? 0), query);
    return { records: shown.map(({ record }) => withdrawalOf(record)), meta };
  });

/**
 * SQL: the ids of withdrawals, the newest of each status, each branch read from an index of its own and no further than
 * parameter 4 says.
 */
function idsOf(statuses: readonly WithdrawalStatus[]): string {
  const branch = (only: string) => `(select id from withdrawals
    where account_id = $1::uuid and id >= $2::uuid and id < $3::uuid${only} order by id desc limit $4::int)`;
  const branches = statuses.length > 0 ? statuses.map((one) => branch(` and status = '${one}'`)) : [branch("")];
  return `select id from (${branches.join(" union all ")}) branches`;
}
/** How many withdrawals of an account wait for a second person. */
export async function countWaiting(query: Query, accountId: string): Promise<number> {
  const [row] = await query<{ count: number }>("withdrawals_waiting", WAITING, [accountId]);
  return row?.count ?? 0;
}

const WAITING =
  "select count(*)::int as count from withdrawals where account_id = $1::uuid and status = 'awaiting_approval'";
