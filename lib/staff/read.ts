import { prisma } from "@/lib/db";
import type { Staff } from "@/lib/staff/schema";
import { iso } from "@/lib/time/clock";

/** Everybody of the operator's staff, by name. */
export async function readStaffPeople({ userId }: { userId: string }): Promise<Staff> {
  const people = await prisma().user.findMany({
    where: { NOT: { staffRoles: { equals: [] } } },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });
  return {
    data: people.map(({ id, name, email, staffRoles: roles, emailConfirmedAt, totpSince, createdAt }) => ({
      ...{ id, name, email, roles, is_invited: emailConfirmedAt === null },
      ...{ has_second_factor: totpSince !== null, is_me: id === userId, created_at: iso(createdAt) },
    })),
  };
}
