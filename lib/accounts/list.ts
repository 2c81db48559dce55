import type { AccountsQuery, SellerAccount } from "@/lib/accounts/schema";
import { accountStates } from "@/lib/accounts/states";
import { iso } from "@/lib/clock";
import { readForStaff } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { COUNTED, countedUpTo, pageAfter, pageOfRead, upTo } from "@/lib/pagination";
import { signsOf, upper } from "@/lib/typed";
import type { Account, Prisma } from "@/prisma/client/client";
import { AccountStatus } from "@/prisma/client/enums";

/** Sellers' live accounts for the operator's staff, newest first, with the number of each status. */
export async function listAccounts(query: AccountsQuery) {
  const found = matching(query);
  return readForStaff(async (tx) => {
    const countOf: Partial<Record<AccountStatus, number>> = {};
    for (const status of Object.values(AccountStatus)) {
      countOf[status] = await tx.account.count({ where: { ...found, status }, take: COUNTED + 1 });
    }
    const all = Object.values(countOf).reduce((sum, count) => sum + count, 0);
    const after = { ...(query.status && { status: query.status }), ...(query.cursor && { id: { lt: query.cursor } }) };
    const rows = await tx.account.findMany({ where: { ...found, ...after }, ...pageAfter(query) });
    const { shown, meta } = pageOfRead(rows, upTo(query.status ? (countOf[query.status] ?? 0) : all), query);
    return { data: shown.map(presentSeller), meta: { ...meta, counts: countedUpTo({ ...countOf, all }) } };
  });
}

/** One seller's live account. Throws `account_not_found`, also for a sandbox account. */
export async function readSeller(id: string): Promise<SellerAccount> {
  const account = await readForStaff((tx) => tx.account.findFirst({ where: { id, mode: "live" } }));
  if (!account) throw new AppError("account_not_found");
  return presentSeller(account);
}

function matching({ search }: AccountsQuery): Prisma.AccountWhereInput {
  if (!search) return { mode: "live" };
  const literal = search.replace(/[\\%_]/g, "\\$&"); // for LIKE
  const text = { contains: literal, mode: "insensitive" } as const;
  const document = upper(signsOf(search));
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
