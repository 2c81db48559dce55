import { expect, test } from "vitest";
import { expireCardTokens } from "@/lib/card-tokens/expire";
import { spendToken, tokenizeCard } from "@/lib/card-tokens/tokenize";
import { forAccount } from "@/lib/db";
import { purge } from "@/lib/jobs/retention";
import { makeAccount } from "@/lib/testing/make";

const card = { number: "4111111111111111", holder_name: "A", expiry_month: "12", expiry_year: "2099", cvv: "123" };
const tokenOf = async (accountId: string) => (await tokenizeCard({ id: accountId }, { card })).data.token;

const tokensOf = (accountId: string) =>
  forAccount(accountId, (tx) =>
    tx.cardToken.findMany({ orderBy: { id: "asc" }, omit: { hash: true, fingerprint: true } }),
  );

const expire = (accountId: string, ago: number) =>
  forAccount(accountId, (tx) => tx.cardToken.updateMany({ data: { expiresAt: new Date(Date.now() - ago) } }));

const EMPTY = { wrappedKey: null, sealedCard: null, sealedCvv: null };
const FULL = { wrappedKey: expect.anything(), sealedCard: expect.anything(), sealedCvv: expect.anything() };

test("the card of a spent or expired token is destroyed, that of a valid token stays", async () => {
  const [expired, valid] = [await makeAccount(), await makeAccount()];
  await tokenOf(expired.accountId);
  await expire(expired.accountId, 1);
  const spent = await tokenOf(valid.accountId);
  await tokenOf(valid.accountId);
  await forAccount(valid.accountId, (tx) => spendToken(tx, valid.accountId, spent));

  await Promise.all([expireCardTokens(), expireCardTokens(), expireCardTokens()]);

  expect(await tokensOf(expired.accountId)).toMatchObject([{ ...EMPTY, spentAt: null, last4: "1111" }]);
  expect(await tokensOf(valid.accountId)).toMatchObject([
    { ...EMPTY, spentAt: expect.any(Date) },
    { ...FULL, spentAt: null },
  ]);
});

test("a token whose card was deleted is still answered as spent or expired", async () => {
  const { accountId } = await makeAccount();
  const [spent, expired] = [await tokenOf(accountId), await tokenOf(accountId)];
  const spend = (token: string) => forAccount(accountId, (tx) => spendToken(tx, accountId, token));
  await spend(spent);
  await expire(accountId, 1_000);
  await expireCardTokens();
  await expect(spend(spent)).rejects.toMatchObject({ code: "DUPLICATE_CARD_TOKEN" });
  await expect(spend(expired)).rejects.toMatchObject({ code: "card_token_expired" });
});

test("the loop neither waits for a token that a charge is spending nor deletes its card", async () => {
  const { accountId } = await makeAccount();
  const token = await tokenOf(accountId);
  await forAccount(accountId, async (tx) => {
    await spendToken(tx, accountId, token);
    await expireCardTokens();
    expect(await tx.cardToken.findFirst()).toMatchObject({ sealedCard: expect.anything(), sealedCvv: null });
  });
  await expireCardTokens();
  expect(await tokensOf(accountId)).toMatchObject([EMPTY]);
});

test("a day after a token expired its row is gone too", async () => {
  const { accountId } = await makeAccount();
  await tokenOf(accountId);
  await expire(accountId, 86_400_000 - 60_000);
  await purge();
  expect(await tokensOf(accountId)).toHaveLength(1);
  await expire(accountId, 86_400_000 + 1_000);
  await purge();
  expect(await tokensOf(accountId)).toHaveLength(0);
});
