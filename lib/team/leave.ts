import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { assertOwnerLeft, lockTeam } from "@/lib/team/lock";
import { endMembership } from "@/lib/team/membership";

/** Leaves a team. Throws `last_owner`, and `account_changed` for whoever was removed meanwhile. */
export const leaveTeam = ({ liveId, userId }: { liveId: string; userId: string }) =>
  forAccount(liveId, async (tx) => {
    const team = await lockTeam(tx, liveId);
    const mine = team.find((member) => member.userId === userId);
    if (!mine) throw new AppError("account_changed");
    assertOwnerLeft(team, userId);
    await endMembership(tx, mine);
    return { message: "Você saiu da equipe." };
  });
