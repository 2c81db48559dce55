import { expect, test } from "vitest";
import { forAccount, readFor, readForStaff } from "@/lib/db";
import { makeAccount } from "@/lib/testing/make";

test.each([
  ["an account's", readFor],
  ["the staff's", (_: string, run: Parameters<typeof readForStaff>[0]) => readForStaff(run)],
])("%s read sees its rows as they were at one moment, whatever is written meanwhile", async (_, read) => {
  const { accountId } = await makeAccount();
  const rename = (name: string) =>
    forAccount(accountId, (tx) => tx.account.update({ where: { id: accountId }, data: { name } }));
  await rename("Aurora");
  await read(accountId, async (tx) => {
    const name = async () => (await tx.account.findUniqueOrThrow({ where: { id: accountId } })).name;
    expect(await name()).toBe("Aurora");
    await rename("Bento");
    expect(await name()).toBe("Aurora");
  });
});
