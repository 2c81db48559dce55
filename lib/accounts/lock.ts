import type { Tx } from "@/lib/db";

/** Locks an account until the transaction ends, so that of two changes of what it has the second sees the first. */
export const lockAccount = (tx: Tx, accountId: string) =>
  tx.$queryRaw`select id from accounts where id = ${accountId}::uuid for no key update`;
