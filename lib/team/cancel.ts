import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { leadsTo, startsFrom } from "@/lib/states";
import { assertMayTouch, type By, lockTeam, roleIn } from "@/lib/team/lock";
import { invitationTransitions } from "@/lib/team/states";
import { realNow } from "@/lib/time/clock";

/** Ends an invitation, so that its link no longer opens. Throws `invitation_not_found`, `insufficient_scope`. */
export const cancelTeamInvitation = ({ by, id }: { by: By; id: string }) =>
  forAccount(by.liveId, async (tx) => {
    const { liveId: accountId, userId } = by;
    const mine = roleIn(await lockTeam(tx, accountId), userId);
    const { cancel } = invitationTransitions;
    const [ended] = await tx.teamInvitation.updateManyAndReturn({
      where: { accountId, id, ...startsFrom(cancel) },
      data: { ...leadsTo(cancel), endedAt: realNow() },
    });
    if (!ended) throw new AppError("invitation_not_found");
    assertMayTouch(mine, ended.role);
    const before = { email: ended.email, role: ended.role };
    await recordChange(tx, { accountId, subject: "invitation", id, verb: "cancelled", before });
    return { message: "Convite cancelado." };
  });
