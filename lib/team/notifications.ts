import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Notifications, topics } from "@/lib/notifications/schema";
import type { By } from "@/lib/team/lock";
import type { Membership } from "@/prisma/client/client";

/**
 * What a person of a team is mailed about; until they have chosen, an owner about everything and others about nothing. Throws `account_changed` for whoever was removed meanwhile.
 */
export const readNotifications = (by: By): Promise<Notifications> =>
  forAccount(by.liveId, async (tx) => present(await requireMembership(tx, by)));

/** Chooses it. Throws as `readNotifications` does. */
export const chooseNotifications = ({ by, topics: set }: Notifications & { by: By }): Promise<Notifications> =>
  forAccount(by.liveId, async (tx) => {
    const { liveId: accountId, userId } = by;
    const before = present(await requireMembership(tx, by));
    const where = { userId_accountId: { userId, accountId } };
    const after = present(await tx.membership.update({ where, data: { topics: { set }, hasChosenTopics: true } }));
    await recordChange(tx, { accountId, subject: "member", id: userId, verb: "updated", before, after });
    return after;
  });

async function requireMembership(tx: Tx, { liveId: accountId, userId }: By): Promise<Membership> {
  const found = await tx.membership.findUnique({ where: { userId_accountId: { userId, accountId } } });
  if (!found) throw new AppError("account_changed");
  return found;
}

const present = ({ role, topics: chosen, hasChosenTopics }: Membership): Notifications => ({
  topics: hasChosenTopics ? topics.filter((topic) => chosen.includes(topic)) : role === "owner" ? [...topics] : [],
});
