import { expect, test } from "vitest";
import { roles } from "@/lib/auth/scopes";
import { createCredential } from "@/lib/credentials/create";
import { listCredentials } from "@/lib/credentials/read";
import { prisma } from "@/lib/db";
import { PageQuery } from "@/lib/lists/pagination";
import { changeRole } from "@/lib/team/change-role";
import { call } from "@/lib/testing/make";
import { aMember, makeTeam } from "@/lib/testing/team";

test("a person's keys that follow a role lose what moves money with it, and their tokens", async () => {
  const team = await makeTeam();
  const { account, accountId, ownerId } = team;
  const userId = await aMember(team, "admin");
  const maker = { userId, role: "admin", scopes: roles.admin } as const;
  const made = await createCredential(account, { name: "ERP", money_scopes: ["refunds:write"], maker }, call());
  const clientId = made.data.client_id;
  const known = async () => {
    const { data } = await listCredentials(accountId, PageQuery.parse({}));
    const { scopes = [], follows_role } = data.find(({ id }) => id === clientId) ?? {};
    return { follows_role, movesMoney: scopes.includes("refunds:write"), writes: scopes.includes("webhooks:write") };
  };
  const token = { hash: new Uint8Array(32).fill(7), clientId, accountId, scopes: [], expiresAt: new Date(2e12) };
  await prisma().accessToken.create({ data: token });
  expect(await known()).toEqual({ follows_role: true, movesMoney: true, writes: true });
  const change = (role: "finance" | "viewer") =>
    changeRole(account, { by: { liveId: accountId, userId: ownerId }, id: userId, role });
  await change("finance");
  expect(await known()).toEqual({ follows_role: true, movesMoney: true, writes: false });
  expect(await prisma().accessToken.count({ where: { clientId } })).toBe(0);
  await change("viewer");
  expect(await known()).toEqual({ follows_role: true, movesMoney: false, writes: false });
});
