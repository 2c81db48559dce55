import type { AccountsQuery, SellerAccount } from "@/lib/accounts/schema";
import { accountStates } from "@/lib/accounts/states";
import { iso } from "@/lib/clock";
import { asSystem } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { metaOf, skipOf } from "@/lib/pagination";
import type { Account, Prisma } from "@/prisma/client/client";

/** Sellers' live accounts for the operator's staff, newest first, with the number of each status. */
export async function listAccounts(query: AccountsQuery) {
  const found = matching(query);
  return asSystem(async (tx) => {
    const counts = await tx.account.groupBy({ by: ["status"], where: found, _count: true });
    const countOf = Object.fromEntries(counts.map(({ status, _count }) => [status, _count]));
    const all = counts.reduce((sum, { _count }) => sum + _count, 0);
    const rows = await tx.account.findMany({
      where: { ...found, ...(query.status && { status: query.status }) },
      orderBy: { id: "desc" },
      skip: skipOf(query),
      take: query.per_page,
    });
    const total = query.status ? (countOf[query.status] ?? 0) : all;
    return { data: rows.map(presentSeller), meta: { ...metaOf(total, query), counts: { ...countOf, all } } };
  });
}

/** One seller's live account. Throws `account_not_found`, also for a sandbox account. */
export async function readSeller(id: string): Promise<SellerAccount> {
  const account = await asSystem((tx) => tx.account.findFirst({ where: { id, mode: "live" } }));
  if (!account) throw new AppError("account_not_found");
  return presentSeller(account);
}

function matching({ search }: AccountsQuery): Prisma.AccountWhereInput {
  if (!search) return { mode: "live" };
  const literal = search.replace(/[\\%_]/g, "\\$&"); // for LIKE
  const text = { contains: literal, mode: "insensitive" } as const;
  const document = search.replace(/[.\-/\s]/g, "").toUpperCase();
  return { mode: "live", OR: [{ name: text }, { email: text }, { document }] };
}

export const presentSeller = (account: Account): SellerAccount => ({
  id: account.id,
  name: account.name,
  email: account.email,
  document: account.document,
  phone: account.phone,
  status: account.status,
  features: account.features,
  created_at: iso(account.createdAt),
  allowed_statuses: [...accountStates[account.status]],
});
