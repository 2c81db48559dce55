import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { assertOwnerLeft, lockTeam } from "@/lib/team/lock";
import { endMembership, giveRole } from "@/lib/team/membership";
import type { Role } from "@/prisma/client/enums";

/**
 * Removes an owner, or gives them another role, once another owner agreed, in the transaction of the decision. Throws
 * `person_not_found` for whoever has left meanwhile, and `last_owner`.
 */
export async function removeOwner(tx: Tx, liveId: string, { id, role }: { id: string; role: Role | null }) {
  const team = await lockTeam(tx, liveId);
  const member = team.find(({ userId }) => userId === id);
  if (!member) throw new AppError("person_not_found");
  assertOwnerLeft(team, id);
  await (role === null ? endMembership(tx, member) : giveRole(tx, member, role));
}
