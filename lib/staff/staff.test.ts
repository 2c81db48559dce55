import { expect, test } from "vitest";
import { asSystem, forAccount, prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { changeStaffRoles } from "@/lib/staff/change-roles";
import { inviteStaff } from "@/lib/staff/invite";
import { readStaffPeople } from "@/lib/staff/read";
import { removeStaff } from "@/lib/staff/remove";
import { resetStaffFactor } from "@/lib/staff/reset-second-factor";
import { joinTeam } from "@/lib/team/accept";
import { inviteToTeam } from "@/lib/team/invite";
import { untilWaitedFor } from "@/lib/testing/locks";
import { lettersTo, linkMailedTo } from "@/lib/testing/mails";
import { call, makeAccount } from "@/lib/testing/make";
import { aStaffPerson } from "@/lib/testing/staff";
import { makeTeam } from "@/lib/testing/team";
import { resetPassword } from "@/lib/users/reset-password";
import { signIn } from "@/lib/users/sign-in";

const password = "uma senha bem comprida";
const ip = "203.0.113.9";
const person = (id: string) => prisma().user.findUniqueOrThrow({ where: { id }, include: { sessions: true } });
const historyOf = (subjectId: string) =>
  asSystem((tx) =>
    tx.event.findMany({
      where: { accountId: PLATFORM, subjectId, subject: "member" },
      orderBy: { id: "asc" },
      select: { type: true, data: true, record: true },
    }),
  );

/** Invites a new person as `userId`. */
async function invited(userId: string) {
  const email = `${newId()}@example.com`;
  await inviteStaff({ userId, ip, name: "Olga Prado", email, roles: ["support"] });
  const { id } = await prisma().user.findUniqueOrThrow({ where: { email } });
  return { id, email };
}

test("who is invited chooses a password by the link of a mail, and only then can sign in", async () => {
  const { userId } = await aStaffPerson();
  const { id, email } = await invited(userId);
  const of = { realm: "staff", email, password, ip, userAgent: "test" } as const;
  expect(await signIn(of)).toBeNull();
  expect((await readStaffPeople({ userId })).data.find((one) => one.id === id)).toEqual({
    ...{ id, name: "Olga Prado", email, roles: ["support"], is_invited: true },
    ...{ has_second_factor: false, is_me: false, created_at: expect.any(String) },
  });
  const secret = (await linkMailedTo(email)) ?? "";
  expect(await resetPassword({ secret, password })).toMatchObject({ email, sign_in: "/operator/sign-in" });
  expect(await signIn(of)).toMatchObject({ userId: id });
  await expect(resetPassword({ secret, password }), "the link works once").rejects.toMatchObject({
    code: "link_expired",
  });
  await expect(
    inviteStaff({ userId, ip, name: "Olga", email, roles: ["admin"] }),
    "nobody's password is taken by an invitation",
  ).rejects.toMatchObject({ code: "already_in_team" });
});

test("another invitation ends the link of the first; one of a seller's person, and one without the role, is refused", async () => {
  const { userId } = await aStaffPerson();
  const { id, email } = await invited(userId);
  const first = (await linkMailedTo(email)) ?? "";
  await inviteStaff({ userId, ip, name: "Olga P.", email, roles: ["finance"] });
  const second = (await linkMailedTo(email)) ?? "";
  await expect(resetPassword({ secret: first, password })).rejects.toMatchObject({ code: "link_expired" });
  expect(await person(id)).toMatchObject({ name: "Olga P.", staffRoles: ["finance"] });
  await resetPassword({ secret: second, password });

  const seller = await makeAccount();
  const invite = (by: string, email: string) => inviteStaff({ userId: by, ip, name: "X Y", email, roles: ["admin"] });
  await expect(invite(userId, seller.email)).rejects.toMatchObject({ code: "email_of_seller" });
  const finance = await aStaffPerson(["finance"]);
  const unknown = `${newId()}@example.com`;
  await expect(invite(finance.userId, unknown)).rejects.toMatchObject({ code: "insufficient_scope" });
  expect(await prisma().user.count({ where: { email: unknown } })).toBe(0);
});

test("a seller's person between two teams keeps password and second factor; who left the staff can be invited again", async () => {
  const { userId } = await aStaffPerson();
  const factor = { totpSince: new Date(), sealedTotp: new Uint8Array([1]), emailConfirmedAt: new Date() };
  const email = `${newId()}@example.com`;
  const before = await prisma().user.create({
    data: { id: newId(), email, name: "Ana", passwordHash: "own", ...factor },
  });
  const invite = (to: string) => inviteStaff({ userId, ip, name: "Olga", email: to, roles: ["admin"] });
  await expect(invite(email)).rejects.toMatchObject({ code: "email_of_seller" });
  expect(await prisma().user.findUnique({ where: { email } })).toEqual(before);

  const left = await aStaffPerson(["support"]);
  await removeStaff({ userId, id: left.userId });
  await invite(left.email);
  expect(await person(left.userId)).toMatchObject({ staffRoles: ["admin"], emailConfirmedAt: null });
});

/** A person who has proved no address yet, and who belongs to nobody, with the secret of an invitation to a team. */
async function invitedToTeam() {
  const team = await makeTeam();
  const [id, email] = [newId(), `${newId()}@example.com`];
  await prisma().user.create({ data: { id, email, name: "Ana", passwordHash: "none" } });
  await inviteToTeam(
    team.account,
    { by: { liveId: team.accountId, userId: team.ownerId }, email, role: "viewer" },
    call(),
  );
  const letter = (await lettersTo(email)).find(({ template }) => template === "team_invited");
  return { team, id, email, secret: letter && "url" in letter ? String(letter.url).split("/").at(-1) : "" };
}

test("nobody is of a team and of the staff: who joins a team while the staff invites them does not, and the other way round", async () => {
  const { userId } = await aStaffPerson();
  const codeOf = (asked: Promise<unknown>) =>
    asked.then(
      () => "done",
      (error) => error.code,
    );

  const first = await invitedToTeam();
  let joining: Promise<string> = Promise.resolve("");
  await forAccount(PLATFORM, async (tx) => {
    await tx.user.update({ where: { id: first.id }, data: { staffRoles: ["support"] } }); // as an invitation does
    joining = codeOf(joinTeam({ userId: first.id, secret: first.secret ?? "" }));
    await untilWaitedFor(tx);
  });
  expect(await joining).toBe("link_expired");

  const second = await invitedToTeam();
  const { accountId, sandboxId } = second.team;
  let inviting: Promise<string> = Promise.resolve("");
  await forAccount(accountId, async (tx) => {
    await tx.$queryRaw`select 1 from users where id = ${second.id}::uuid for share`; // as who joins does
    await tx.membership.create({ data: { userId: second.id, accountId, sandboxId, role: "viewer" } });
    inviting = codeOf(inviteStaff({ userId, ip, name: "Olga", email: second.email, roles: ["admin"] }));
    await untilWaitedFor(tx);
  });
  expect(await inviting).toBe("email_of_seller");
  expect(await person(second.id)).toMatchObject({ staffRoles: [], passwordHash: "none" });
});

test("of two who accept an invitation to a team at once with the same session, one joins", async () => {
  const { team, id, secret } = await invitedToTeam();
  const join = () =>
    joinTeam({ userId: id, secret: secret ?? "" }).then(
      () => "joined",
      (error) => error.code,
    );
  expect((await Promise.all([join(), join()])).sort()).toEqual(["joined", "link_expired"]);
  expect(await prisma().membership.count({ where: { userId: id, accountId: team.accountId } })).toBe(1);
});

test("roles change at once, a removal ends the sessions and the way in, and both are in the platform's history", async () => {
  const { userId } = await aStaffPerson();
  const other = await aStaffPerson(["support"]);
  const id = other.userId;
  await changeStaffRoles({ userId, id, roles: ["finance", "support"] });
  expect(await person(id)).toMatchObject({ staffRoles: ["finance", "support"] });
  await removeStaff({ userId, id });
  expect(await person(id)).toMatchObject({ staffRoles: [], sessions: [{ revokedAt: expect.any(Date) }] });
  expect(await historyOf(id)).toEqual([
    {
      type: "member.updated",
      data: { roles: { before: ["support"], after: ["finance", "support"] } },
      record: { name: "Operação", roles: ["finance", "support"] },
    },
    {
      ...{ type: "member.removed", data: {} },
      record: { name: "Operação", email: other.email, roles: ["finance", "support"] },
    },
  ]);
  await expect(removeStaff({ userId, id })).rejects.toMatchObject({ code: "person_not_found" });
  const seller = await makeAccount();
  const sellers = await prisma().user.findUniqueOrThrow({ where: { email: seller.email } });
  await expect(removeStaff({ userId, id: sellers.id })).rejects.toMatchObject({ code: "person_not_found" });
});

test("nobody changes themselves, and of two admins who remove each other at once one stays", async () => {
  const [one, two] = [(await aStaffPerson(["admin"])).userId, (await aStaffPerson(["admin"])).userId];
  for (const act of [removeStaff, resetStaffFactor]) {
    await expect(act({ userId: one, id: one })).rejects.toMatchObject({ code: "own_access" });
  }
  await expect(changeStaffRoles({ userId: one, id: one, roles: ["finance"] })).rejects.toMatchObject({
    code: "own_access",
  });
  const race = await Promise.allSettled([removeStaff({ userId: one, id: two }), removeStaff({ userId: two, id: one })]);
  expect(race.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(race.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "insufficient_scope" } });
  const left = [await person(one), await person(two)].filter(({ staffRoles }) => staffRoles.includes("admin"));
  expect(left).toHaveLength(1);
});

test("a lost second factor is removed by another admin: the sessions end, and the person is told by mail", async () => {
  const { userId } = await aStaffPerson();
  const { userId: id, email } = await aStaffPerson(["finance"]);
  await expect(resetStaffFactor({ userId, id })).rejects.toMatchObject({ code: "second_factor_missing" });
  await prisma().user.update({ where: { id }, data: { totpSince: new Date(), sealedTotp: new Uint8Array([1]) } });
  await prisma().recoveryCode.create({ data: { userId: id, hash: new Uint8Array([1]) } });
  await resetStaffFactor({ userId, id });
  expect(await person(id)).toMatchObject({
    ...{ totpSince: null, sealedTotp: null, staffRoles: ["finance"] },
    sessions: [{ revokedAt: expect.any(Date) }],
  });
  expect(await prisma().recoveryCode.count({ where: { userId: id } })).toBe(0);
  expect(await lettersTo(email)).toMatchObject([{ template: "security_changed", what: "second_factor_off" }]);
});
