import { present } from "@/lib/credentials/present";
import { prisma } from "@/lib/db";
import { metaOf, type PageQuery, skipOf } from "@/lib/pagination";

/** An account's credentials that are not revoked, newest first, without secrets. */
export async function listCredentials(accountId: string, query: PageQuery) {
  const where = { accountId, revokedAt: null };
  const total = await prisma().credential.count({ where });
  const rows = await prisma().credential.findMany({
    where,
    orderBy: { clientId: "desc" },
    skip: skipOf(query),
    take: query.per_page,
  });
  return { data: rows.map(present), meta: metaOf(total, query) };
}
