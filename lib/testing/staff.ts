import { encode } from "next-auth/jwt";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { prisma } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import type { StaffRole } from "@/prisma/client/enums";

/** The roles of a person of the staff who may do everything. */
export const allStaffRoles: StaffRole[] = ["finance", "admin"];

/** The cookie of a new session of this person, of a seller or of the staff. */
export async function cookieOf(userId: string, accountId: string | null = null): Promise<string> {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const proved = { steppedUpAt: new Date(), secondFactorAt: new Date() };
  const session = { id: newId(), userId, accountId, ip: "::1", userAgent: "", expiresAt, ...proved };
  await prisma().session.create({ data: session });
  const { staffRoles } = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
  const name = sessionCookieName(staffRoles.length > 0 ? "staff" : "seller");
  return `${name}=${await encode({ token: { sid: session.id }, secret: env.SESSION_SECRET })}`;
}

/** A new person of the operator's staff, with the cookie of a session; with all roles by default. */
export async function aStaffPerson(staffRoles: StaffRole[] = allStaffRoles) {
  const id = newId();
  const email = `${id}@example.com`;
  const person = { id, email, name: "Operação", passwordHash: "none", staffRoles, emailConfirmedAt: new Date() };
  await prisma().user.create({ data: person });
  return { userId: id, email, cookie: await cookieOf(id) };
}
