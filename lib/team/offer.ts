import { readContext } from "@/lib/accounts/read";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { sha256 } from "@/lib/ids";
import type { TeamOffer } from "@/lib/team/schema";
import { iso, realNow } from "@/lib/time/clock";

/** The invitation of a mail's link. Throws `link_expired`, whatever the cause. */
export async function findTeamInvitation(tx: Tx, secret: string) {
  const where = { linkHash: new Uint8Array(sha256(secret)), status: "pending", expiresAt: { gt: realNow() } } as const;
  const invitation = await tx.teamInvitation.findFirst({ where });
  if (!invitation) throw new AppError("link_expired");
  return invitation;
}

/** What a link offers, to whoever has it. Throws `link_expired`. */
export async function readTeamOffer({ secret }: { secret: string }): Promise<TeamOffer> {
  const { accountId, email, role, invitedBy, expiresAt, inviter } = await forAccount([], async (tx) => {
    const found = await findTeamInvitation(tx, secret);
    const user = await tx.user.findUnique({ where: { id: found.invitedBy } });
    return { ...found, inviter: user?.name ?? "" };
  });
  const account = await readContext(accountId);
  if (!account || !invitedBy) throw new AppError("link_expired");
  return { seller: account.name, inviter, role, email, expires_at: iso(expiresAt) };
}
