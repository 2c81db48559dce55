import { staffScopesOf } from "@/lib/auth/scopes";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { PLATFORM } from "@/lib/ledger/chart";
import type { User } from "@/prisma/client/client";

/** `userId` is who asks, and `id` who is changed. */
export type OfStaff = { userId: string; id: string };

/**
 * Runs what changes a person of the staff, with the staff locked. Nobody changes themselves: so whoever changes the others stays,
 * and the staff is never without an admin. Throws `own_access`, `person_not_found`, and `insufficient_scope` for whoever lost
 * their role meanwhile.
 */
export const changeStaff = <T>({ userId, id }: OfStaff, run: (tx: Tx, person: User) => Promise<T>): Promise<T> =>
  forAccount(PLATFORM, async (tx) => {
    if (id === userId) throw new AppError("own_access");
    const staff = await lockStaff(tx, userId);
    const person = staff.find((one) => one.id === id);
    if (!person) throw new AppError("person_not_found");
    return run(tx, person);
  });

/**
 * The people of the staff, locked until the end of the transaction, for one of them who may change the others. Throws
 * `insufficient_scope`.
 */
export async function lockStaff(tx: Tx, userId: string): Promise<User[]> {
  await tx.$queryRaw`select 1 from users where staff_roles <> '{}' order by id for update`;
  const staff = await tx.user.findMany({ where: { NOT: { staffRoles: { equals: [] } } } });
  const mine = staff.find(({ id }) => id === userId);
  if (!mine || !staffScopesOf(mine.staffRoles).includes("staff:write")) throw new AppError("insufficient_scope");
  return staff;
}
