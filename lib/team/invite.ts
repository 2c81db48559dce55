import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newId, newSecret, sha256 } from "@/lib/ids";
import { limits } from "@/lib/limits";
import { localeOf } from "@/lib/locale/of-person";
import { writeMail } from "@/lib/mail/write";
import { leadsTo } from "@/lib/states";
import { assertMayTouch, type By, lockTeam, roleIn } from "@/lib/team/lock";
import type { TeamInviteBody } from "@/lib/team/schema";
import { invitationTransitions } from "@/lib/team/states";
import { DAY_MS } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";

const LIFETIME_MS = 7 * DAY_MS;

type Input = TeamInviteBody & { by: By };

/**
 * Invites the owner of an e-mail to a seller's team, by a link in a mail. An open invitation of the same e-mail ends: its link
 * no longer opens. Throws `insufficient_scope`, `already_in_team`, `team_limit_reached`.
 */
export const inviteToTeam = (account: AccountContext, input: Input, { idem }: Intent) =>
  forAccount([...new Set([input.by.liveId, account.id])], (tx) =>
    once(tx, idem, async () => {
      const { email, role } = input;
      const { liveId: accountId, userId } = input.by;
      const team = await lockTeam(tx, accountId);
      assertMayTouch(roleIn(team, userId), role);
      const known = await tx.user.findUnique({ where: { email } });
      if (known && team.some((membership) => membership.userId === known.id)) throw new AppError("already_in_team");
      const now = realNow();
      const open = { accountId, status: "pending" as const };
      await tx.teamInvitation.updateMany({
        where: { ...open, email },
        data: { ...leadsTo(invitationTransitions.cancel), endedAt: now },
      });
      const invited = await tx.teamInvitation.count({ where: open });
      if (team.length + invited >= limits.people) throw new AppError("team_limit_reached");
      const [id, secret] = [newId(), newSecret()];
      const expiresAt = new Date(now.getTime() + LIFETIME_MS);
      const linkHash = new Uint8Array(sha256(secret));
      await tx.teamInvitation.create({ data: { id, accountId, email, role, linkHash, invitedBy: userId, expiresAt } });
      await recordChange(tx, { accountId, subject: "invitation", id, verb: "created", after: { email, role } });
      const { name: inviter } = await tx.user.findUniqueOrThrow({ where: { id: userId } });
      await writeMail(tx, {
        intent: `team_invited:${id}`,
        to: { email, locale: await localeOf(tx, email) },
        ...{ mode: "live", accountId },
        content: {
          ...{ template: "team_invited", seller: account.name, inviter, role, until: expiresAt.toISOString() },
          url: `${env.APP_URL}/join/${secret}`,
        },
      });
      return { message: `Convite enviado para ${email}.` };
    }),
  );
