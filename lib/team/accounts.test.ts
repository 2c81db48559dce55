import { expect, test } from "vitest";
import { prisma } from "@/lib/db";
import { listAccountsOf } from "@/lib/team/accounts";
import { aMember, makeTeam } from "@/lib/testing/team";

test("a person is given the accounts of their teams, by name and with their role, and nobody else's", async () => {
  const [mine, other] = [await makeTeam(), await makeTeam()];
  await makeTeam();
  const { accountId, sandboxId } = other;
  await prisma().membership.create({ data: { userId: mine.ownerId, accountId, sandboxId, role: "viewer" } });
  const asListed = (team: typeof mine, role: string) => ({
    ...{ live_id: team.accountId, sandbox_id: team.sandboxId, name: team.name, role },
  });
  const { data } = await listAccountsOf({ userId: mine.ownerId });
  expect(data).toHaveLength(2);
  expect(data).toEqual(expect.arrayContaining([asListed(mine, "owner"), asListed(other, "viewer")]));
  expect(data.map(({ name }) => name)).toEqual(data.map(({ name }) => name).sort());
  const guest = await aMember(other, "finance");
  expect(await listAccountsOf({ userId: guest })).toEqual({ data: [asListed(other, "finance")] });
});
