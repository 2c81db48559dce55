import { readForStaff } from "@/lib/db";
import { COUNTED, metaOf, skipOf } from "@/lib/lists/pagination";
import type { Unanswered, UnansweredQuery } from "@/lib/outside/schema";
import { iso } from "@/lib/time/clock";

type Found = Omit<Unanswered, "account" | "since"> & { accountId: string | null; name: string | null; since: Date };

/** SQL: what has had no answer for a day, or was accepted and has had no end since. */
const UNANSWERED = `(
    select 'call' as what, kind, provider, id::text, account_id, coalesce(accepted_at, sent_at, created_at) as since from calls
    where done_at is null and coalesce(accepted_at, sent_at, created_at) < now() - interval '1 day'
  ) union all (
    select 'watch', kind, provider, id, null, unanswered_since from watches
    where unanswered_since < now() - interval '1 day'
  )`;

/** What no provider has answered for a day, for the operator's staff: the longest waiting first. */
export async function listUnanswered(query: UnansweredQuery) {
  const { per_page } = query;
  const skip = skipOf(query);
  return readForStaff(async (tx) => {
    const [counted] = await tx.$queryRawUnsafe<{ count: number }[]>(
      `select count(*)::int as count from (select from (${UNANSWERED}) u limit ${COUNTED}) n`,
    );
    const rows = await tx.$queryRawUnsafe<Found[]>(
      `select u.what, u.kind, u.provider, u.id, u.account_id as "accountId", a.name, u.since
      from (select * from (${UNANSWERED}) u order by since, id limit $1 offset $2) u
      left join accounts a on a.id = u.account_id order by u.since, u.id`,
      per_page,
      skip,
    );
    return { data: rows.map(present), meta: metaOf(counted?.count ?? 0, query) };
  });
}

const present = ({ accountId, name, since, ...found }: Found): Unanswered => ({
  ...found,
  account: accountId && name !== null ? { id: accountId, name } : null,
  since: iso(since),
});
