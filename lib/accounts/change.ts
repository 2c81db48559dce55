import { lockAccount } from "@/lib/accounts/lock";
import type { Tx } from "@/lib/db";
import type { Account, Prisma } from "@/prisma/client/client";

/** Locks an account and changes it as `change` says of how it is; answers it as it was and as it is then. */
export async function changeAccount(
  tx: Tx,
  id: string,
  change: (was: Account) => Prisma.AccountUpdateInput | Promise<Prisma.AccountUpdateInput>,
): Promise<{ was: Account; is: Account }> {
  await lockAccount(tx, id);
  const was = await tx.account.findUniqueOrThrow({ where: { id } });
  return { was, is: await tx.account.update({ where: { id }, data: await change(was) }) };
}
