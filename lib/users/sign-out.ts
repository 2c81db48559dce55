import { realNow } from "@/lib/clock";
import { prisma } from "@/lib/db";

/** Ends a session, so that its cookie is refused from now on. */
export async function signOut(sessionId: string): Promise<void> {
  await prisma().session.updateMany({ where: { id: sessionId, revokedAt: null }, data: { revokedAt: realNow() } });
}
