import type { AccountContext } from "@/lib/accounts/context";
import { askSecondPerson } from "@/lib/approvals/ask";
import { awaiting } from "@/lib/approvals/awaiting";
import { recordChange } from "@/lib/audit/record-change";
import { endCredentialsOf } from "@/lib/credentials/of-person";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { assertMayTouch, type By, lockTeam, roleIn } from "@/lib/team/lock";
import { realNow } from "@/lib/time/clock";
import { mailSecurity } from "@/lib/users/mail-security";
import type { Membership } from "@/prisma/client/client";
import type { Role } from "@/prisma/client/enums";

/** `id` is the person who is changed. */
export type OfMember = { by: By; id: string };

type WithMember<T> = (tx: Tx, team: readonly Membership[], member: Membership, mine: Role) => Promise<T>;

/** Runs what changes a member, with the team locked. Throws `person_not_found`, `insufficient_scope`. */
export const withMember = <T>({ by: { liveId, userId }, id }: OfMember, run: WithMember<T>): Promise<T> =>
  forAccount(liveId, async (tx) => {
    const team = await lockTeam(tx, liveId);
    const mine = roleIn(team, userId);
    const member = team.find((one) => one.userId === id);
    if (!member) throw new AppError("person_not_found");
    assertMayTouch(mine, member.role);
    return run(tx, team, member, mine);
  });

/** Lets another owner decide whether an owner is removed, or gets another role. */
export async function askOwners(
  tx: Tx,
  { name }: AccountContext,
  { by: { liveId, userId }, id }: OfMember,
  role: Role | null,
) {
  const asked = { id, role };
  const account = { id: liveId, name, mode: "live" } as const;
  const request = { account, liveId, kind: "owner_removal", subjectId: id, asked, askedBy: userId } as const;
  const waits = await askSecondPerson(tx, request);
  if (!waits) throw new AppError("last_owner"); // whoever is to be removed is an owner too, and decides
  return awaiting(waits);
}

/** Gives a member another role, and their credentials that follow it too. */
export async function giveRole(tx: Tx, { accountId, sandboxId, userId, role: before }: Membership, role: Role) {
  await tx.membership.update({ where: { userId_accountId: { userId, accountId } }, data: { role } });
  await endCredentialsOf(tx, { accountIds: [accountId, sandboxId], userId, role });
  const { email } = await tx.user.findUniqueOrThrow({ where: { id: userId } });
  const change = { before: { email, role: before }, after: { email, role } };
  await recordChange(tx, { accountId, subject: "member", id: userId, verb: "updated", ...change });
}

/** Ends a member's access: the membership, their sessions, and the credentials that follow their role. */
export async function endMembership(tx: Tx, { accountId, sandboxId, userId, role }: Membership) {
  const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
  await tx.membership.delete({ where: { userId_accountId: { userId, accountId } } });
  await tx.session.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: realNow() } });
  await endCredentialsOf(tx, { accountIds: [accountId, sandboxId], userId, role: null });
  const before = { email: user.email, role };
  await recordChange(tx, { accountId, subject: "member", id: userId, verb: "removed", before });
  await mailSecurity(tx, user, "removed_from_team");
}
