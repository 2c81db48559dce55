import { roles, seesWhole } from "@/lib/auth/scopes";
import type { Tx } from "@/lib/db";
import { realNow } from "@/lib/time/clock";
import type { Role } from "@/prisma/client/enums";

type OfPerson = { accountIds: string[]; userId: string; role: Role | null };

/**
 * Gives the credentials that a person made and that follow a role that person's new role and mask, without the scopes that move money
 * and that the role lacks, or ends them where it is null. Their access tokens end in either case, because a token has the scopes
 * of its time. `accountIds` are those of both modes.
 */
export async function endCredentialsOf(tx: Tx, { accountIds, userId, role }: OfPerson): Promise<void> {
  const where = { accountId: { in: accountIds }, madeBy: userId, role: { not: null }, revokedAt: null };
  const data = role ? { role, isMasked: !seesWhole(roles[role]) } : { revokedAt: realNow() };
  const changed = await tx.credential.updateManyAndReturn({ where, data });
  if (changed.length === 0) return;
  const clientIds = changed.map(({ clientId }) => clientId);
  if (role) {
    const held = [...roles[role]];
    await tx.$executeRaw`update credentials set scopes = array(select s from unnest(scopes) s where s = any(${held}))
      where client_id = any(${clientIds}::uuid[])`;
  }
  await tx.accessToken.deleteMany({ where: { clientId: { in: clientIds } } });
}
