import type { Row } from "@/lib/database/json-rows";
import { type Query, queryOf, readFor } from "@/lib/db";
import { presentDispute } from "@/lib/disputes/present";
import { type DisputeRecord, disputeOf, idOfCode, recordOf } from "@/lib/disputes/record";
import type { DisputePage, DisputeQuery } from "@/lib/disputes/schema";
import { AppError } from "@/lib/errors";
import { COUNTED, pageAfter, pageOfRead, upTo } from "@/lib/lists/pagination";
import { FIRST_ID, LAST_ID } from "@/lib/lists/period";

/** A dispute's record. Throws `dispute_not_found`, also for another account's and for what is no code. */
export async function findDispute(query: Query, accountId: string, id: string | undefined): Promise<DisputeRecord> {
  const [found] = id ? await query<{ record: Row }>("dispute_find", FIND, [accountId, id]) : [];
  if (!found) throw new AppError("dispute_not_found");
  return disputeOf(found.record);
}

const FIND = `select ${recordOf("d")} as record from disputes d where d.account_id = $1::uuid and d.id = $2::uuid`;

/** The same by its code. */
export const findByCode = (query: Query, accountId: string, code: string) =>
  findDispute(query, accountId, idOfCode(code));

/**
 * The account's disputes: the open ones by their deadline, the nearest first, all others newest first. `cursor` continues after a record and costs as much as the first page. Throws 422 for a
 * page too far from the start.
 */
export const listDisputes = (accountId: string, query: DisputeQuery): Promise<DisputePage> =>
  readFor(accountId, async (tx) => {
    const isByDeadline = query.status === "open";
    const bound = query.cursor?.toLowerCase() ?? (isByDeadline ? FIRST_ID : LAST_ID);
    const { skip, take } = pageAfter(query);
    const [ids, sale] = [idsOf(query), query.reference_id ?? null];
    const run = queryOf(tx);
    const counted = `select count(*)::int as found from (${ids}) f`;
    const page = `select d.id, ${recordOf("d")} as record from (${ids} offset $5::int) page
      cross join lateral (select * from disputes where account_id = $1::uuid and id = page.id offset 0) d order by d.id ${isByDeadline ? "asc" : "desc"}`;
    const [count] = await run<{ found: number }>("", counted, [
      accountId,
      isByDeadline ? FIRST_ID : LAST_ID,
      sale,
      COUNTED + 1,
    ]);
    const rows = await run<{ id: string; record: Row }>("", page, [accountId, bound, sale, skip + take, skip]);
    const { shown, meta } = pageOfRead(rows, upTo(count?.found ?? 0), query);
    return { data: shown.map(({ record }) => presentDispute(disputeOf(record))), meta };
  });

/**
 * SQL: the ids of disputes from the bound on that is parameter 2, no more than parameter 4 says. All can be defended for equally
 * long, so the order of their ids, which is that of their openings, is that of their deadlines.
 */
const idsOf = ({ status }: DisputeQuery) => `select id from disputes
    where account_id = $1::uuid and id ${status === "open" ? ">" : "<"} $2::uuid and ($3::uuid is null or transaction_id = $3::uuid)
      ${status ? `and status = '${status}'` : ""}
    order by id ${status === "open" ? "asc" : "desc"} limit $4::int`;
