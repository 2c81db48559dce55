import { expect, test } from "vitest";
import { prisma } from "@/lib/db";
import { cancelTeamInvitation } from "@/lib/team/cancel";
import { inviteToTeam } from "@/lib/team/invite";
import { readTeam } from "@/lib/team/read";
import { call } from "@/lib/testing/make";
import { aMember, makeTeam } from "@/lib/testing/team";

test("an administrator cancels invitations, but that of an owner only an owner", async () => {
  const team = await makeTeam();
  const { account, accountId: liveId, ownerId } = team;
  const by = { liveId, userId: ownerId };
  const admin = await aMember(team, "admin");
  for (const role of ["owner", "viewer"] as const) {
    await inviteToTeam(account, { by, email: `${role}-${liveId}@example.com`, role }, call());
  }
  const idOf = async (role: string) =>
    (await prisma().teamInvitation.findFirstOrThrow({ where: { accountId: liveId, role: role as "owner" } })).id;
  const open = async () => (await readTeam({ liveId, userId: admin })).invitations.map(({ role }) => role);
  const refused = cancelTeamInvitation({ by: { liveId, userId: admin }, id: await idOf("owner") });
  await expect(refused).rejects.toMatchObject({ code: "insufficient_scope" });
  expect(await open()).toEqual(["owner", "viewer"]);
  await cancelTeamInvitation({ by: { liveId, userId: admin }, id: await idOf("viewer") });
  await cancelTeamInvitation({ by, id: await idOf("owner") });
  expect(await open()).toEqual([]);
});
