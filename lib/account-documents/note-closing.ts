import type { Tx } from "@/lib/db";

/**
 * Notes on an account's documents when it was closed, because from then on they are kept as long as the law asks
 * (`lib/privacy/retention.ts`); null where it was opened again.
 */
export const noteClosing = (tx: Tx, accountId: string, accountClosedAt: Date | null) =>
  tx.accountDocument.updateMany({ where: { accountId }, data: { accountClosedAt } });
