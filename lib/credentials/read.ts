import { listAwaiting } from "@/lib/approvals/awaiting";
import { present } from "@/lib/credentials/present";
import { readFor } from "@/lib/db";
import { COUNTED, metaOf, type PageQuery, skipOf } from "@/lib/lists/pagination";

/** An account's credentials that are not revoked, newest first, without secrets. */
export function listCredentials(accountId: string, query: PageQuery) {
  const where = { accountId, revokedAt: null };
  const page = { orderBy: { clientId: "desc" }, skip: skipOf(query), take: query.per_page } as const;
  return readFor(accountId, async (tx) => {
    const total = await tx.credential.count({ where, take: COUNTED });
    const rows = await tx.credential.findMany({ where, ...page });
    const clientIds = rows.map(({ clientId }) => clientId);
    const waiting = await listAwaiting(tx, accountId, "credential_scopes", clientIds);
    const data = rows.map((row) => ({
      ...present(row),
      awaiting_scopes: waiting.filter(({ subjectId }) => subjectId === row.clientId).flatMap(scopesIn),
    }));
    return { data, meta: metaOf(total, query) };
  });
}

const scopesIn = ({ asked }: { asked: unknown }) => (asked as { scopes: string[] }).scopes;
