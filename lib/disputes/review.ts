import { isNotReplaced } from "@/lib/accounts/replaced";
import type { Row } from "@/lib/database/json-rows";
import { type Query, queryOf, readForStaff } from "@/lib/db";
import { readEvidence } from "@/lib/disputes/evidence";
import { presentDispute } from "@/lib/disputes/present";
import { disputeOf, idOfCode, recordOf } from "@/lib/disputes/record";
import type { DisputeReview, DisputeReviewQuery } from "@/lib/disputes/schema";
import { AppError } from "@/lib/errors";
import { COUNTED, metaOf, skipOf } from "@/lib/lists/pagination";
import type { Mode } from "@/prisma/client/enums";

/**
 * SQL: the open disputes of a mode, whose deadline is nearest first. The mode is no parameter, because under row-level security
 * only the condition of an index is found, and no comparison of an enum.
 */
export const openIn = (mode: Mode) =>
  `select * from disputes w where mode = '${mode}' and status = 'open' and ${isNotReplaced(mode, "w")}
    order by deadline, account_id, id`;

type Found = DisputeReview["account"] & { record: Row };

/** The open disputes of all accounts of a mode, whose deadline is nearest first. */
export async function listOpenDisputes({ mode, ...query }: DisputeReviewQuery) {
  const skip = skipOf(query);
  return readForStaff(async (tx) => {
    const read = queryOf(tx);
    const counted = `select count(*)::int as found from (${openIn(mode)} limit $1) open`;
    const [count] = await read<{ found: number }>("", counted, [COUNTED]);
    const rows = await read<Found>("", `${of(`${openIn(mode)} limit $1 offset $2`)} order by d.deadline, d.id`, [
      query.per_page,
      skip,
    ]);
    return { data: rows.map(present), meta: metaOf(count?.found ?? 0, query) };
  });
}

/** One dispute with the files of its defence. Throws `dispute_not_found`. */
export const readDisputeReview = (accountId: string, code: string) =>
  readForStaff(async (tx) => {
    const found = await find(queryOf(tx), accountId, idOfCode(code));
    const { dispute, account } = present(found);
    const files = await readEvidence(tx, accountId, disputeOf(found.record).dispute.id);
    return { data: { account, dispute: { ...dispute, files } } };
  });

async function find(query: Query, accountId: string, id: string | undefined): Promise<Found> {
  const [found] = id ? await query<Found>("", ONE, [accountId, id]) : [];
  if (!found) throw new AppError("dispute_not_found");
  return found;
}

const present = ({ record, id, name, mode }: Found): DisputeReview => ({
  dispute: presentDispute(disputeOf(record)),
  account: { id, name, mode },
});

const of = (which: string) => `select ${recordOf("d")} as record, a.id, a.name, a.mode
  from (${which}) d cross join lateral (select * from accounts where id = d.account_id offset 0) a`;
const ONE = of("select * from disputes where account_id = $1::uuid and id = $2::uuid");
