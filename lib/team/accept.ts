import { AppError } from "@/lib/errors";
import { inTeamOf, join } from "@/lib/team/join";

/**
 * Joins the team that a link invites to, as the person of a session, whose e-mail must be the very one that was invited: for
 * everybody else, and for the operator's staff, the link does not open. Throws `link_expired`, `already_in_team`.
 */
export const joinTeam = ({ userId, secret }: { userId: string; secret: string }) =>
  inTeamOf(secret, async (tx, team, invitation) => {
    await tx.$queryRaw`select 1 from users where id = ${userId}::uuid for share`; // nobody is invited to the staff meanwhile
    const { email, staffRoles } = await tx.user.findUniqueOrThrow({ where: { id: userId } });
    if (email !== invitation.email || staffRoles.length > 0) throw new AppError("link_expired");
    return join(tx, { team, invitation, userId });
  });
