import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import type { Membership } from "@/prisma/client/client";
import type { Role } from "@/prisma/client/enums";

/** The person of a team who changes it: who they are, and the live account of the team. */
export type By = { userId: string; liveId: string };

/**
 * The memberships of a seller's team, locked until the end of the transaction: who may do what, and whether an owner is left,
 * holds until then.
 */
export async function lockTeam(tx: Tx, liveId: string): Promise<Membership[]> {
  await tx.$queryRaw`select 1 from memberships where account_id = ${liveId}::uuid order by user_id for update`;
  return tx.membership.findMany({ where: { accountId: liveId } });
}

/** The role that a person has now. Throws `account_changed` for whoever was removed meanwhile. */
export function roleIn(team: readonly Membership[], userId: string): Role {
  const mine = team.find((membership) => membership.userId === userId);
  if (!mine) throw new AppError("account_changed");
  return mine.role;
}

/** Only an owner makes, changes or removes an owner. Throws `insufficient_scope`. */
export function assertMayTouch(mine: Role, ...roles: Role[]) {
  if (roles.includes("owner") && mine !== "owner") throw new AppError("insufficient_scope");
  if (mine !== "owner" && mine !== "admin") throw new AppError("insufficient_scope");
}

/** Throws `last_owner` where nobody else owns the account. */
export function assertOwnerLeft(team: readonly Membership[], withoutId: string) {
  if (!team.some(({ userId, role }) => role === "owner" && userId !== withoutId)) throw new AppError("last_owner");
}
