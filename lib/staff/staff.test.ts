import { expect, test } from "vitest";
import { asSystem, prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { changeStaffRoles } from "@/lib/staff/change-roles";
import { inviteStaff } from "@/lib/staff/invite";
import { readStaffPeople } from "@/lib/staff/read";
import { removeStaff } from "@/lib/staff/remove";
import { resetStaffFactor } from "@/lib/staff/reset-second-factor";
import { lettersTo, linkMailedTo } from "@/lib/testing/mails";
import { makeAccount } from "@/lib/testing/make";
import { aStaffPerson } from "@/lib/testing/staff";
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
