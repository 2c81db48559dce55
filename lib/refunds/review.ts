import { isNotReplaced } from "@/lib/accounts/replaced";
import type { Row } from "@/lib/database/json-rows";
import { type Query, queryOf, readForStaff } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { COUNTED, metaOf, skipOf } from "@/lib/lists/pagination";
import { presentRefund } from "@/lib/refunds/present";
import { idOfCode, recordOf, refundOf } from "@/lib/refunds/record";
import type { Review, ReviewQuery } from "@/lib/refunds/schema";
import type { Mode } from "@/prisma/client/enums";

/**
 * SQL: the refunds of a mode that wait for a decision, the longest waiting first. The mode is no parameter, because under
 * row-level security only the condition of an index is found, and no comparison of an enum.
 */
export const waitingIn = (mode: Mode) =>
  `select * from refunds w where mode = '${mode}' and status = 'pending' and ${isNotReplaced(mode, "w")} order by id`;

type Found = Review["account"] & { record: Row };

/** The refunds of all accounts of a mode that the operator's staff has to review, the longest waiting first. */
export async function listReviews({ mode, ...query }: ReviewQuery) {
  const skip = skipOf(query);
  return readForStaff(async (tx) => {
    const read = queryOf(tx);
    const [count] = await read<{ found: number }>("", countOf(mode), [COUNTED]);
    const rows = await read<Found>("", of(`${waitingIn(mode)} limit $1 offset $2`), [query.per_page, skip]);
    return { data: rows.map(present), meta: metaOf(count?.found ?? 0, query) };
  });
}

/** One refund, whatever became of it. Throws `refund_not_found`. */
export const readReview = (accountId: string, code: string): Promise<{ data: Review }> =>
  readForStaff(async (tx) => ({ data: present(await findReview(queryOf(tx), accountId, idOfCode(code))) }));

async function findReview(query: Query, accountId: string, id: string | undefined): Promise<Found> {
  const [found] = id ? await query<Found>("", ONE, [accountId, id]) : [];
  if (!found) throw new AppError("refund_not_found");
  return found;
}

const present = ({ record, id, name, mode }: Found): Review => ({
  refund: presentRefund(refundOf(record)),
  account: { id, name, mode },
});

const of = (which: string) => `select ${recordOf("r")} as record, a.id, a.name, a.mode
  from (${which}) r cross join lateral (select * from accounts where id = r.account_id offset 0) a order by r.id`;

const countOf = (mode: Mode) => `select count(*)::int as found from (${waitingIn(mode)} limit $1) waiting`;
const ONE = of("select * from refunds where account_id = $1::uuid and id = $2::uuid");
