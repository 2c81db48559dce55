import { expect, test } from "vitest";
import { prisma } from "@/lib/db";
import { requestDeposit } from "@/lib/deposits/request";
import { newId } from "@/lib/ids";
import { lettersTo } from "@/lib/testing/mails";
import { call, cashIn, makeAccount } from "@/lib/testing/make";
import { allStaffRoles, aStaffPerson } from "@/lib/testing/staff";
import { cashOut } from "@/lib/testing/withdrawals";
import { requestWithdrawal } from "@/lib/withdrawals/request";

test("a live charge without a provider says so, and the operator's staff get one mail of it a day", async () => {
  const id = newId();
  const email = `${id}@example.com`;
  await prisma().user.create({
    data: {
      id,
      email,
      name: "Operação",
      passwordHash: "none",
      staffRoles: allStaffRoles,
      emailConfirmedAt: new Date(),
    },
  });
  for (const seller of [await makeAccount({ mode: "live" }), await makeAccount({ mode: "live" })]) {
    await expect(requestDeposit(seller.account, cashIn(), call())).rejects.toMatchObject({
      code: "rail_not_configured",
    });
  }
  expect(await lettersTo(email)).toMatchObject([{ template: "rail_missing", method: "pix" }]);
  await prisma().user.update({ where: { id }, data: { staffRoles: [] } }); // other tests' charges write to all staff
});

test("so are they of withdrawals that no provider sends", async () => {
  const { email, userId } = await aStaffPerson();
  const { account } = await makeAccount({ mode: "live" });
  for (const _ of [1, 2])
    await expect(
      requestWithdrawal(account, { ...cashOut(), by: { kind: "token", clientId: newId() } }, call()),
    ).rejects.toMatchObject({
      code: "rail_not_configured",
    });
  expect(await lettersTo(email)).toMatchObject([{ template: "rail_missing", method: "payout" }]);
  await prisma().user.update({ where: { id: userId }, data: { staffRoles: [] } });
});
