import type { Tx } from "@/lib/db";

/** Takes the place of the default from a product's plans, or from those of no product. The caller has locked the account. */
export const clearDefault = (tx: Tx, accountId: string, productId: string | null) =>
  tx.plan.updateMany({ where: { accountId, productId, isDefault: true }, data: { isDefault: false } });
