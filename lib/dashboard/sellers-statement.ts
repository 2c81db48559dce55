import { requireContext } from "@/lib/accounts/read";
import { recordLook } from "@/lib/dashboard/record-look";
import type { SellersStatement } from "@/lib/dashboard/schema";
import { readStatement } from "@/lib/statement/read";
import type { StatementQuery } from "@/lib/statement/schema";

type Asked = { userId: string; accountId: string };

/**
 * A seller's statement for a person of the operator's staff, as the seller reads it. The account's history says that they
 * looked. Throws `account_not_found`.
 */
export async function readSellersStatement(asked: Asked, query: StatementQuery): Promise<SellersStatement> {
  const account = await requireContext(asked.accountId);
  await recordLook(asked);
  const { data, meta } = await readStatement(account, query);
  const { id, name, mode } = account;
  return { data, meta: { ...meta, account: { id, name, mode } } };
}
