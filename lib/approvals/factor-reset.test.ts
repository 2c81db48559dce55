import { expect, test } from "vitest";
import { approveFactorReset, askFactorReset, readSellersPeople } from "@/lib/approvals/factor-reset";
import { listApprovals } from "@/lib/approvals/read";
import { prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { lettersTo } from "@/lib/testing/mails";
import { makeAccount } from "@/lib/testing/make";
import { aStaffPerson, cookieOf } from "@/lib/testing/staff";

/** A seller whose finance person has a second factor and a session. */
async function aSeller() {
  const { accountId, email: ownersEmail } = await makeAccount({ mode: "live" });
  const owner = await prisma().membership.findFirstOrThrow({ where: { accountId } });
  const [id, email] = [newId(), `${newId()}@example.com`];
  await prisma().user.create({
    data: { id, email, name: "Bia", passwordHash: "none", totpSince: new Date(), sealedTotp: new Uint8Array([1]) },
  });
  const { sandboxId } = owner;
  await prisma().membership.create({ data: { userId: id, accountId, sandboxId, role: "finance" } });
  await cookieOf(id);
  return { accountId, ownersEmail, ownerId: owner.userId, id, email };
}

const person = (id: string) => prisma().user.findUniqueOrThrow({ where: { id }, include: { sessions: true } });

test("a lost second factor is removed once one of the staff asked and another approved; the person and the owners are told", async () => {
  const { accountId, ownersEmail, ownerId, id, email } = await aSeller();
  const [one, two] = [(await aStaffPerson()).userId, (await aStaffPerson()).userId];
  await expect(approveFactorReset({ accountId, userId: one, id })).rejects.toMatchObject({
    code: "approval_not_found",
  });
  await askFactorReset({ accountId, userId: one, id });
  expect(await lettersTo(email)).toMatchObject([{ template: "security_changed", what: "factor_reset_asked" }]);
  expect((await person(id)).totpSince, "asking alone removes nothing").not.toBeNull();
  await expect(askFactorReset({ accountId, userId: two, id })).rejects.toMatchObject({ code: "invalid_transition" });
  await expect(approveFactorReset({ accountId, userId: one, id })).rejects.toMatchObject({ code: "own_request" });
  expect((await readSellersPeople({ accountId, userId: one })).data.find((one) => one.id === id)).toEqual({
    ...{ id, name: "Bia", email, role: "finance", has_second_factor: true },
    reset: { is_mine: true, lapses_at: expect.any(String) },
  });
  expect(await listApprovals(accountId, { userId: ownerId, role: "owner" }), "it is not the team's").toEqual({
    data: [],
  });
  await approveFactorReset({ accountId, userId: two, id });
  expect(await person(id)).toMatchObject({ totpSince: null, sessions: [{ revokedAt: expect.any(Date) }] });
  expect((await lettersTo(email)).at(-1)).toMatchObject({ template: "security_changed", what: "second_factor_off" });
  expect(await lettersTo(ownersEmail)).toMatchObject([{ template: "member_factor_reset", name: "Bia" }]);
});

test("of two approvals at once one removes it, and one that has lapsed, or is of another account's person, none", async () => {
  const { accountId, id } = await aSeller();
  const other = await aSeller();
  const staff = (await Promise.all([1, 2, 3].map(() => aStaffPerson()))).map(({ userId }) => userId);
  const [one = "", two = "", three = ""] = staff;
  await expect(askFactorReset({ accountId, userId: one, id: other.id })).rejects.toMatchObject({
    code: "person_not_found",
  });
  await askFactorReset({ accountId, userId: one, id });
  const race = await Promise.allSettled([two, three].map((userId) => approveFactorReset({ accountId, userId, id })));
  expect(race.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await askFactorReset({ ...other, userId: one });
  await prisma().$transaction(async (tx) => {
    await tx.$executeRaw`select set_config('app.accounts', '*', true)`;
    await tx.approval.updateMany({ where: { accountId: other.accountId }, data: { lapsesAt: new Date() } });
  });
  await expect(approveFactorReset({ ...other, userId: two })).rejects.toMatchObject({ code: "approval_not_found" });
});
