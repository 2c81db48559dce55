import { expect, test } from "vitest";
import { mintToken } from "@/lib/credentials/mint-token";
import { forAccount } from "@/lib/db";
import { untilWaitedFor } from "@/lib/testing/locks";
import { makeAccount } from "@/lib/testing/make";

test("a credential that is revoked while a token of it is asked for gives none", async () => {
  const { accountId, clientId: client_id, clientSecret: client_secret } = await makeAccount();
  const countOf = () => forAccount(accountId, (tx) => tx.accessToken.count({ where: { clientId: client_id } }));
  const before = await countOf();
  let asked: Promise<unknown> = Promise.resolve();
  await forAccount(accountId, async (tx) => {
    await tx.credential.update({ where: { clientId: client_id }, data: { revokedAt: new Date() } });
    // It finds the credential as it was before, and waits for its row.
    asked = mintToken({ client_id, client_secret, ip: "203.0.113.7" }).catch((error) => error.code);
    await untilWaitedFor(tx);
  });
  expect(await asked).toBe("invalid_client");
  expect(await countOf()).toBe(before);
});
