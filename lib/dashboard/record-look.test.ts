import { expect, test } from "vitest";
import { recordLook } from "@/lib/dashboard/record-look";
import { asSystem } from "@/lib/db";
import { newId } from "@/lib/ids";
import { makeAccount } from "@/lib/testing/make";
import { aStaffPerson } from "@/lib/testing/staff";

test("a look by the staff is in the account's history once a day and person, also of five at once", async () => {
  const [{ accountId }, one, two] = [await makeAccount(), await aStaffPerson(), await aStaffPerson()];
  await Promise.all(Array.from({ length: 5 }, () => recordLook({ accountId, userId: one.userId })));
  await recordLook({ accountId, userId: two.userId });
  const looks = () =>
    asSystem((tx) => tx.event.findMany({ where: { accountId, type: "look.created" }, orderBy: { id: "asc" } }));
  expect((await looks()).map(({ actor }) => actor)).toEqual([
    { kind: "staff", id: one.userId },
    { kind: "staff", id: two.userId },
  ]);
  await asSystem((tx) => tx.$executeRaw`update account_looks set day = day - 1 where account_id = ${accountId}::uuid`);
  await recordLook({ accountId, userId: one.userId });
  expect(await looks(), "on another day again").toHaveLength(3);
  await recordLook({ accountId: newId(), userId: one.userId }); // no account, nothing to write
});
