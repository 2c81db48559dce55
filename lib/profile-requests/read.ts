import { queryOf, readFor, readForStaff, type Tx } from "@/lib/db";
import { COUNTED, metaOf, type PageQuery, skipOf } from "@/lib/lists/pagination";
import { presentRequest } from "@/lib/profile-requests/present";
import type { ProfileRequest, ReviewedRequest } from "@/lib/profile-requests/schema";
import type { Account } from "@/prisma/client/client";

/** The newest request of an account in scope, whatever became of it. */
export async function readNewestRequest(tx: Tx, accountId: string): Promise<ProfileRequest | null> {
  const row = await tx.profileRequest.findFirst({ where: { accountId }, orderBy: { id: "desc" } });
  return row && presentRequest(row);
}

/** The same, for the operator's staff. */
export const readRequestOf = (accountId: string) => readFor(accountId, (tx) => readNewestRequest(tx, accountId));

/** The requests of all sellers that the operator's staff has to decide, the longest waiting first. */
export async function listRequests(
  query: PageQuery,
): Promise<{ data: ReviewedRequest[]; meta: ReturnType<typeof metaOf> }> {
  const skip = skipOf(query);
  return readForStaff(async (tx) => {
    const [count] = await queryOf(tx)<{ found: number }>("", COUNT, [COUNTED]);
    const rows = await tx.profileRequest.findMany({
      where: { status: "pending" },
      ...{ orderBy: { id: "asc" }, skip, take: query.per_page },
    });
    const accounts = await tx.account.findMany({ where: { id: { in: rows.map(({ accountId }) => accountId) } } });
    const accountOf = new Map(accounts.map((account) => [account.id, account]));
    const data = rows.map((row) => ({
      request: presentRequest(row),
      account: shownAccount(accountOf.get(row.accountId) as Account),
    }));
    return { data, meta: metaOf(count?.found ?? 0, query) };
  });
}

const shownAccount = ({ id, name, document, legalRepresentative }: Account): ReviewedRequest["account"] => ({
  ...{ id, name, document },
  legal_representative: legalRepresentative as ReviewedRequest["account"]["legal_representative"],
});

const COUNT = `select count(*)::int as found
  from (select from profile_requests where status = 'pending' order by id limit $1) waiting`;
