import { prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { makeAccount } from "@/lib/testing/make";
import type { Role } from "@/prisma/client/enums";

/** A seller with its owner and the ids of both its accounts. */
export async function makeTeam() {
  const made = await makeAccount({ mode: "live" });
  const where = { accountId: made.accountId };
  const { userId: ownerId, sandboxId } = await prisma().membership.findFirstOrThrow({ where });
  return { ...made, ownerId, sandboxId, name: made.account.name };
}

type Team = Pick<Awaited<ReturnType<typeof makeTeam>>, "accountId" | "sandboxId">;

/** A new person of a team, in this role. Returns their id. */
export async function aMember({ accountId, sandboxId }: Team, role: Role): Promise<string> {
  const id = newId();
  const person = { id, email: `${id}@example.com`, name: `Pessoa ${role}`, passwordHash: "none" };
  await prisma().user.create({ data: person });
  await prisma().membership.create({ data: { userId: id, accountId, sandboxId, role } });
  return id;
}
