import { randomInt } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { CardInput } from "@/lib/card-tokens/schema";
import { tokenHash } from "@/lib/card-tokens/token";
import { spendToken, tokenizeCard, tokenizeForPartner } from "@/lib/card-tokens/tokenize";
import { forAccount } from "@/lib/db";
import { newId, newSecret } from "@/lib/ids";
import { untilWaitedFor } from "@/lib/testing/locks";
import { makeAccount } from "@/lib/testing/make";
import { fingerprint } from "@/lib/vault/vault";

const card = (changes: Partial<CardInput> = {}): CardInput => ({
  number: "4111111111111111",
  holder_name: "ANA SOUZA",
  expiry_month: "12",
  expiry_year: "2099",
  cvv: String(randomInt(1000)).padStart(3, "0"),
  ...changes,
});

async function tokenOf(accountId: string, given = card()) {
  const { data } = await tokenizeCard({ id: accountId }, { card: given });
  return data.token;
}

const spend = (accountId: string, token: string) => forAccount(accountId, (tx) => spendToken(tx, accountId, token));

const rowOf = (accountId: string, token: string) => {
  const hash = new Uint8Array(tokenHash(token.replace("card_token.", "")));
  return forAccount(accountId, (tx) =>
    tx.cardToken.findUniqueOrThrow({ where: { accountId_hash: { accountId, hash } } }),
  );
};

const change = (accountId: string, data: object) =>
  forAccount(accountId, (tx) => tx.cardToken.updateMany({ where: { accountId }, data }));

test("a tokenized card is answered as token, brand and last four, and is valid for 15 minutes of real time", async () => {
  const { accountId } = await makeAccount();
  const before = Date.now();
  const { data } = await tokenizeCard({ id: accountId }, { card: card({ number: "6362970000457013" }) });
  expect(data).toMatchObject({ brand: "elo", last4: "7013" });
  expect(data.token).toMatch(/^card_token\.[\w-]{43}$/);
  expect(data.expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  const lives = new Date(data.expires_at).getTime() - before;
  expect(lives).toBeGreaterThanOrEqual(15 * 60_000);
  expect(lives).toBeLessThan(15 * 60_000 + 5_000);
});

test("a token gives its whole card back once, and its CVV is then deleted", async () => {
  const { accountId } = await makeAccount();
  const given = card({ cvv: "0007" });
  const token = await tokenOf(accountId, given);
  const { tokenId, ...spent } = await spend(accountId, token);
  expect(spent).toEqual({ brand: "visa", last4: "1111", fingerprint: fingerprint(given.number), card: given });
  const row = await rowOf(accountId, token);
  expect(row).toMatchObject({ id: tokenId, sealedCvv: null, spentAt: expect.any(Date) });
  await expect(spend(accountId, token)).rejects.toMatchObject({ code: "DUPLICATE_CARD_TOKEN" });
});

test("of sixteen that spend a token at once exactly one gets the card", async () => {
  const { accountId } = await makeAccount();
  const token = await tokenOf(accountId);
  const race = await Promise.allSettled(Array.from({ length: 16 }, () => spend(accountId, token)));
  expect(race.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of race) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "DUPLICATE_CARD_TOKEN" });
  }
});

test("who spends a token while another does waits for the outcome, and does not get the card too", async () => {
  const { accountId } = await makeAccount();
  const token = await tokenOf(accountId);
  const second = await forAccount(accountId, async (tx) => {
    await spendToken(tx, accountId, token);
    const outcome = spend(accountId, token).catch((error: unknown) => error);
    await untilWaitedFor(tx);
    return { outcome };
  });
  expect(await second.outcome).toMatchObject({ code: "DUPLICATE_CARD_TOKEN" });
});

test("a token whose transaction was rolled back can still be spent", async () => {
  const { accountId } = await makeAccount();
  const given = card();
  const token = await tokenOf(accountId, given);
  const broken = forAccount(accountId, async (tx) => {
    await spendToken(tx, accountId, token);
    throw new Error("rolled back");
  });
  await expect(broken).rejects.toThrow("rolled back");
  expect((await spend(accountId, token)).card).toEqual(given);
});

test("cards of several accounts that are tokenized at the same moment are each given back unchanged", async () => {
  const accounts = await Promise.all([makeAccount(), makeAccount(), makeAccount()]);
  const given = Array.from({ length: 60 }, (_, at) => ({
    accountId: accounts[at % 3]?.accountId ?? "",
    card: card({ holder_name: `PESSOA ${at}`, expiry_month: String((at % 12) + 1).padStart(2, "0") }),
  }));
  const tokens = await Promise.all(given.map(({ accountId, card }) => tokenOf(accountId, card)));
  expect(new Set(tokens).size).toBe(60);
  const spent = await Promise.all(tokens.map((token, at) => spend(given[at]?.accountId ?? "", token)));
  expect(spent.map(({ card }) => card)).toEqual(given.map(({ card }) => card));
});

describe("a token is refused", () => {
  test("when it is malformed, unknown or another account's, with the same text", async () => {
    const [mine, theirs] = [await makeAccount(), await makeAccount()];
    const [good, others] = [await tokenOf(mine.accountId), await tokenOf(theirs.accountId)];
    const wrong = [
      others,
      `card_token.${newSecret()}`,
      good.replace("card_token.", ""),
      good.replace("card_token.", "CARD_TOKEN."),
      `${good}x`,
      good.slice(0, -1),
      ` ${good}`,
      `card_token.${tokenHash(good.replace("card_token.", "")).toString("base64url")}`,
      "card_token.",
      "",
      newId(),
    ];
    const errors = await Promise.all(wrong.map((token) => spend(mine.accountId, token).catch((error) => error)));
    for (const error of errors) {
      expect(error).toMatchObject({
        code: "validation_failed",
        options: { faults: { "card.token": [expect.any(String)] } },
      });
    }
    expect(new Set(errors.map(({ options }) => JSON.stringify(options))).size).toBe(1);
    expect((await spend(theirs.accountId, others)).last4).toBe("1111"); // none of the attempts spent it
  });

  test("when it has expired, but as spent if it was spent before", async () => {
    const { accountId } = await makeAccount();
    const [expired, spent] = [await tokenOf(accountId), await tokenOf(accountId)];
    await spend(accountId, spent);
    await change(accountId, { expiresAt: new Date(Date.now() - 1) });
    await expect(spend(accountId, expired)).rejects.toMatchObject({ code: "card_token_expired" });
    await expect(spend(accountId, spent)).rejects.toMatchObject({ code: "DUPLICATE_CARD_TOKEN" });
    expect(await rowOf(accountId, expired)).toMatchObject({ spentAt: null });
  });

  test("when its row has fields of another row, or one changed bit", async () => {
    const { accountId } = await makeAccount();
    const [one, two] = [await tokenOf(accountId), await tokenOf(accountId, card({ number: "5555555555554444" }))];
    const [first, second] = [await rowOf(accountId, one), await rowOf(accountId, two)];
    const put = (data: object) =>
      forAccount(accountId, (tx) =>
        tx.cardToken.update({ where: { accountId_id: { accountId, id: first.id } }, data }),
      );
    const { wrappedKey, sealedCard, sealedCvv } = second;
    for (const foreign of [{ wrappedKey }, { sealedCard }, { sealedCvv }, { wrappedKey, sealedCard }]) {
      await put(foreign);
      await expect(spend(accountId, one), Object.keys(foreign).join()).rejects.toThrow();
      await put({ wrappedKey: first.wrappedKey, sealedCard: first.sealedCard, sealedCvv: first.sealedCvv });
    }
    const changed = new Uint8Array(first.sealedCard ?? []);
    changed[20] = (changed[20] ?? 0) ^ 1;
    await put({ sealedCard: changed });
    await expect(spend(accountId, one)).rejects.toThrow();
    await put({ sealedCard: first.sealedCard });
    expect((await spend(accountId, one)).last4).toBe("1111");
  });
});

test("each row has its own key, and the same card has the same fingerprint, which is no plain hash", async () => {
  const { accountId } = await makeAccount();
  const tokens = [await tokenOf(accountId), await tokenOf(accountId)];
  const [one, two] = await Promise.all(tokens.map((token) => rowOf(accountId, token)));
  expect(one?.wrappedKey).not.toEqual(two?.wrappedKey);
  expect(one?.fingerprint).toEqual(two?.fingerprint);
  expect(Buffer.from(one?.fingerprint ?? [])).not.toEqual(tokenHash("4111111111111111"));
});

test.each([
  ["pending", "account_not_approved"],
  ["suspended", "account_suspended"],
] as const)("a partner whose account is %s tokenizes nothing", async (status, code) => {
  const { account, accountId } = await makeAccount();
  await expect(tokenizeForPartner({ ...account, status }, { card: card() })).rejects.toMatchObject({ code });
  expect(await forAccount(accountId, (tx) => tx.cardToken.count())).toBe(0);
});
