import { createDecipheriv, createHash, createHmac, hkdfSync } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountContext } from "@/lib/accounts/context";
import { keysOf } from "@/lib/card-tokens/token";
import { cardContext, spendToken, tokenizeCard } from "@/lib/card-tokens/tokenize";
import { storeCard } from "@/lib/charges/stored-card";
import { forAccount } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { decrypt, decryptWith } from "@/lib/vault/vault";

/** These tests read every value of the database, so they use one of their own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const CVV = "7391";
const card = { number: "4111111111111111", holder_name: "ANA", expiry_month: "12", expiry_year: "2099", cvv: CVV };

const OTHER = "5555555555554444";

/** Another card, kept on file as an approved charge with consent does; its token is spent. */
async function keepAnother(account: AccountContext) {
  const { data } = await tokenizeCard(account, { card: { ...card, number: OTHER, holder_name: "BIA" } });
  return forAccount(account.id, async (tx) => {
    const spent = await spendToken(tx, account.id, data.token);
    await storeCard(tx, account, spent, newId(), "", { text: "Sim", ip: "203.0.113.7", user_agent: "" });
    return tx.storedCard.findFirstOrThrow();
  });
}

/** Every value of every column of every table, as the owner of the database reads them. */
async function everyValue(): Promise<(string | Buffer)[]> {
  return connected(ownerUrl(), async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
    );
    const values = [];
    for (const { name } of rows) {
      const table = await client.query(`select * from "${name}"`);
      for (const value of table.rows.flatMap((row) => Object.values(row))) {
        if (value === null) continue;
        values.push(Buffer.isBuffer(value) ? value : typeof value === "string" ? value : JSON.stringify(value));
      }
    }
    return values;
  });
}

/** The keys that a thief could make of these: each run of 32 bytes, each hash, and each key that our code derives. */
function keysFrom(materials: Iterable<string | Buffer>): Buffer[] {
  const keys = new Map<string, Buffer>();
  const add = (key: Buffer) => keys.set(key.toString("latin1"), key);
  const infos = ["", "repasse card token", "repasse seal", "repasse page token"];
  for (const material of materials) {
    const forms = [Buffer.from(material)];
    if (typeof material === "string") forms.push(Buffer.from(material, "base64"), Buffer.from(material, "hex"));
    for (const bytes of forms.filter(({ length }) => length > 0)) {
      for (let at = 0; at + 32 <= bytes.length && at < 512; at += 1) add(bytes.subarray(at, at + 32));
      add(createHash("sha256").update(bytes).digest());
      for (const info of infos) {
        const derived = Buffer.from(hkdfSync("sha256", bytes, "", info, 64));
        add(derived.subarray(0, 32));
        add(derived.subarray(32));
      }
    }
  }
  return [...keys.values()];
}

/** What these keys decrypt to text, anywhere in the encrypted values. */
function decryptAll(keys: Buffer[], encrypted: readonly Buffer[], contexts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const key of keys) {
    for (const bytes of encrypted) {
      if (!isText(decryptUnchecked(key, bytes))) continue;
      for (const context of contexts) {
        try {
          found.add(decryptWith(key, bytes, context).toString("latin1"));
        } catch {
          // this key does not decrypt this value
        }
      }
    }
  }
  return [...found];
}

/**
 * What a key makes of a value, whatever its tag and context. A million wrong keys are told from right ones sooner by
 * this than by the tag.
 */
const decryptUnchecked = (key: Buffer, bytes: Buffer) =>
  createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12)).update(bytes.subarray(28));

/** Four digits occur within ids and longer numbers, so that a CVV is looked for outside them. */
const holds = (secret: string) => {
  const alone = new RegExp(`(?<!\\d)${secret}(?!\\d)`);
  return (text: string) => (secret === CVV ? alone.test(text.replace(ID, "")) : text.includes(secret));
};
const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const isText = (bytes: Buffer) => bytes.every((byte) => byte >= 32 && byte < 127);

test("the whole database and all our keys decrypt stored cards, but neither card nor CVV of a token", {
  timeout: 60_000,
}, async () => {
  const { account, accountId } = await makeAccount();
  const { data } = await tokenizeCard({ id: accountId }, { card });
  const { id, wrappedKey, sealedCard } = await forAccount(accountId, (tx) => tx.cardToken.findFirstOrThrow());
  if (!wrappedKey || !sealedCard) throw new Error("The token holds no card");
  const onFile = await keepAnother(account);

  const values = await everyValue();
  const kept = values.map((value) => Buffer.from(value).toString("latin1"));
  expect(kept.some(holds(id))).toBe(true); // the search does see the row
  for (const secret of [data.token, data.token.slice(11), card.number, CVV]) {
    expect(kept.filter(holds(secret))).toEqual([]);
  }

  const ring = env.VAULT_KEYS.split(",").map((entry) => entry.split(":")[1] ?? "");
  const dataKeys = [
    decrypt(wrappedKey, cardContext(accountId, id)),
    decrypt(onFile.wrappedKey, cardContext(accountId, onFile.id)),
  ];
  const materials = new Set([...values, ...ring, ...dataKeys, ...Object.values(process.env).map(String)]);
  const keys = keysFrom(materials);
  const mixed = keys.flatMap((key) => dataKeys.map((dataKey) => createHmac("sha256", key).update(dataKey).digest()));
  const encrypted = values.filter((value) => Buffer.isBuffer(value));
  const contexts = [cardContext(accountId, id), cardContext(accountId, onFile.id), `cvv:${accountId}:${id}`];

  expect(keys.length).toBeGreaterThan(1_000);
  const all = decryptAll([...keys, ...mixed], encrypted, contexts);
  expect(all.some((text) => text.includes(OTHER))).toBe(true); // the search does decrypt what it has a key for
  for (const secret of [card.number, card.holder_name, CVV]) {
    expect(all.filter(holds(secret))).toEqual([]);
  }
  const { cvv, cardOf } = keysOf(data.token.slice(11)); // with the token the card does decrypt
  const withToken = decryptAll([cvv, ...dataKeys.map(cardOf)], encrypted, contexts);
  expect(withToken).toHaveLength(2);
  expect(withToken).toEqual(expect.arrayContaining([CVV, expect.stringContaining(card.number)]));
});

test("once a token is spent, even the token decrypts nothing", async () => {
  const { accountId } = await makeAccount();
  const { data } = await tokenizeCard({ id: accountId }, { card });
  await forAccount(accountId, (tx) => spendToken(tx, accountId, data.token));
  const encrypted = (await everyValue()).filter((value) => Buffer.isBuffer(value));
  const { id } = await forAccount(accountId, (tx) => tx.cardToken.findFirstOrThrow());
  expect(decryptAll([keysOf(data.token.slice(11)).cvv], encrypted, [`cvv:${accountId}:${id}`])).toEqual([]);
});
