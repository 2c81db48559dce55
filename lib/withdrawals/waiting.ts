import type { Row } from "@/lib/database/json-rows";
import { queryOf, readForStaff } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { COUNTED, metaOf, skipOf } from "@/lib/lists/pagination";
import { iso } from "@/lib/time/clock";
import { presentWithdrawal } from "@/lib/withdrawals/present";
import { findWithdrawal } from "@/lib/withdrawals/read";
import { recordOf, withdrawalOf } from "@/lib/withdrawals/record";
import type { StaffWithdrawal, WaitingQuery, WaitingWithdrawal } from "@/lib/withdrawals/schema";

/** How long a rail may take to know a withdrawal that was sent to it, before a person looks at it and may give it up. */
export const UNANSWERED_MS = 15 * 60_000;

/** How long a rail may take to end a withdrawal that it has accepted. */
export const UNENDED_MS = 60 * 60_000;

/** SQL: the calls of withdrawals that their rail did not answer in time, or accepted an hour ago and has not ended. */
const WAITING = `select account_id, id, accepted_at is not null as is_accepted, coalesce(accepted_at, sent_at) as since from calls
  where kind = 'withdrawal' and done_at is null and (
    accepted_at is null and sent_at < now() - ${UNANSWERED_MS} * interval '1 millisecond'
    or accepted_at < now() - ${UNENDED_MS} * interval '1 millisecond'
  )`;

/** One withdrawal of a seller, whatever became of it. Throws `withdrawal_not_found`. */
export const readForDecision = (accountId: string, id: string): Promise<{ data: StaffWithdrawal }> =>
  readForStaff(async (tx) => {
    const account = await tx.account.findUnique({
      where: { id: accountId },
      select: { id: true, name: true, mode: true },
    });
    if (!account) throw new AppError("withdrawal_not_found");
    return { data: { withdrawal: presentWithdrawal(await findWithdrawal(queryOf(tx), accountId, id)), account } };
  });

type Found = { record: Row; id: string; name: string; mode: "live" | "sandbox"; isAccepted: boolean; since: Date };

/** The withdrawals of all accounts of a mode that need a person, because their rail does not say how they ended: the longest waiting first. */
export async function listWaiting({ mode, ...query }: WaitingQuery) {
  const skip = skipOf(query);
  return readForStaff(async (tx) => {
    const run = queryOf(tx);
    const [count] = await run<{ found: number }>("", countOf(mode), [COUNTED]);
    const rows = await run<Found>("", of(mode), [query.per_page, skip]);
    return { data: rows.map(present), meta: metaOf(count?.found ?? 0, query) };
  });
}

const present = ({ record, id, name, mode, isAccepted, since }: Found): WaitingWithdrawal => ({
  withdrawal: presentWithdrawal(withdrawalOf(record)),
  account: { id, name, mode },
  is_accepted: isAccepted,
  since: iso(since),
});

const IN_MODE = `(${WAITING}) c cross join lateral (
    select * from withdrawals where account_id = c.account_id and id = c.id offset 0
  ) w`;

/** SQL: since when each of a mode waits for a person. */
export const waitingIn = (mode: WaitingQuery["mode"]) => `select c.since from ${IN_MODE} where w.mode = '${mode}'`;

const countOf = (mode: WaitingQuery["mode"]) => `select count(*)::int as found from (${waitingIn(mode)} limit $1) n`;

const of = (mode: WaitingQuery["mode"]) => `select ${recordOf("w")} as record, a.id, a.name, a.mode::text as mode,
    c.is_accepted as "isAccepted", c.since
  from ${IN_MODE} join accounts a on a.id = w.account_id where w.mode = '${mode}'
  order by c.since, w.id limit $1 offset $2`;
