import { prisma } from "@/lib/db";
import type { Team } from "@/lib/team/schema";
import { iso, realNow } from "@/lib/time/clock";

type Asked = { liveId: string; userId: string };

/** Everybody who may open a seller's accounts, and who is invited to. A team has at most `limits.people`. */
export async function readTeam({ liveId, userId }: Asked): Promise<Team> {
  const [memberships, invitations] = await Promise.all([
    prisma().membership.findMany({
      where: { accountId: liveId },
      include: { user: true },
      orderBy: [{ createdAt: "asc" }, { userId: "asc" }],
    }),
    prisma().teamInvitation.findMany({ where: { accountId: liveId, status: "pending" }, orderBy: { id: "asc" } }),
  ]);
  const names = new Map(memberships.map(({ user }) => [user.id, user.name]));
  return {
    members: memberships.map(({ user, role, createdAt }) => ({
      ...{ id: user.id, name: user.name, email: user.email, role, joined_at: iso(createdAt) },
      ...{ has_second_factor: user.totpSince !== null, is_me: user.id === userId },
    })),
    invitations: invitations.map(({ id, email, role, invitedBy, createdAt, expiresAt }) => ({
      ...{ id, email, role, invited_by: names.get(invitedBy) ?? "" },
      ...{ created_at: iso(createdAt), expires_at: iso(expiresAt), is_over: expiresAt <= realNow() },
    })),
  };
}
