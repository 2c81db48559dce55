import { prisma } from "@/lib/db";

/** Ends a session; its cookie is worth nothing from now on. */
export async function signOut(sessionId: string): Promise<void> {
  await prisma().session.updateMany({ where: { id: sessionId, revokedAt: null }, data: { revokedAt: new Date() } });
}
