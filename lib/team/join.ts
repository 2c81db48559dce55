import { actAs, currentActor } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { leadsTo, startsFrom } from "@/lib/states";
import { lockTeam } from "@/lib/team/lock";
import { findTeamInvitation } from "@/lib/team/offer";
import { invitationTransitions } from "@/lib/team/states";
import { realNow } from "@/lib/time/clock";
import type { Membership, TeamInvitation } from "@/prisma/client/client";

type InTeam<T> = (tx: Tx, team: readonly Membership[], invitation: TeamInvitation) => Promise<T>;

/** Runs what accepts the invitation of a link, with its team locked. Throws `link_expired`. */
export async function inTeamOf<T>(secret: string, run: InTeam<T>): Promise<T> {
  const { accountId } = await forAccount([], (tx) => findTeamInvitation(tx, secret));
  return forAccount(accountId, async (tx) => {
    const team = await lockTeam(tx, accountId);
    return run(tx, team, await findTeamInvitation(tx, secret));
  });
}

type Invited = { team: readonly Membership[]; invitation: TeamInvitation; userId: string };

/**
 * Makes an invited person a member. Of two at once the second finds the invitation accepted. Throws `link_expired`,
 * `already_in_team`.
 */
export async function join(tx: Tx, { team: [colleague], invitation, userId }: Invited) {
  const { accountId, id, email, role } = invitation;
  const { accept } = invitationTransitions;
  const data = { ...leadsTo(accept), endedAt: realNow() };
  const { count } = await tx.teamInvitation.updateMany({ where: { accountId, id, ...startsFrom(accept) }, data });
  if (count === 0 || !colleague) throw new AppError("link_expired");
  const { sandboxId } = colleague;
  const [member] = await tx.membership.createManyAndReturn({
    data: [{ userId, accountId, sandboxId, role }],
    skipDuplicates: true,
  });
  if (!member) throw new AppError("already_in_team");
  const record = () =>
    recordChange(tx, { accountId, subject: "member", id: userId, verb: "created", after: { email, role } });
  await actAs({ ...currentActor(), kind: "person", id: userId }, record);
  return { message: "Você entrou na equipe.", account: accountId, email };
}
