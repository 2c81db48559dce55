import { encode } from "next-auth/jwt";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { prisma } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import type { StaffRole } from "@/prisma/client/enums";

/** The roles of a person of the staff who may do everything. */
export const allStaffRoles: StaffRole[] = ["finance", "admin"];

/** The cookie of a new session of this person. */
export async function cookieOf(userId: string, accountId: string | null = null): Promise<string> {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const proved = { steppedUpAt: new Date(), secondFactorAt: new Date() };
  const session = { id: newId(), userId, accountId, ip: "::1", userAgent: "", expiresAt, ...proved };
  await prisma().session.create({ data: session });
  return `${sessionCookieName()}=${await encode({ token: { sid: session.id }, secret: env.SESSION_SECRET })}`;
}

/** A new person of the operator's staff, with the cookie of a session. */
export async function aStaffPerson() {
  const id = newId();
  const person = { id, email: `${id}@example.com`, name: "Operação", passwordHash: "none", staffRoles: allStaffRoles };
  await prisma().user.create({ data: person });
  return { userId: id, cookie: await cookieOf(id) };
}
