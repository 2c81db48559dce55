import { createHash, hkdfSync } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cardContext, sealCard, spendToken } from "@/lib/cards/seal";
import { cvvKey } from "@/lib/cards/token";
import { forAccount } from "@/lib/db";
import { env } from "@/lib/env";
import { makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { open, openWith } from "@/lib/vault";

/** All that lies in a database is looked at: so it has only what is put here. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const CVV = "7391";
const card = { number: "4111111111111111", holder_name: "ANA", expiry_month: "12", expiry_year: "2099", cvv: CVV };

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

/** What a thief could make of these: each run of 32 bytes, each hash, and each key that our code ever derives. */
function keysFrom(materials: Iterable<string | Buffer>): Buffer[] {
  const keys = new Map<string, Buffer>();
  const add = (key: Buffer) => keys.set(key.toString("latin1"), key);
  const infos = ["", "repasse card cvv", "repasse seal", "repasse page token"];
  for (const material of materials) {
    const forms = [Buffer.from(material)];
    if (typeof material === "string") forms.push(Buffer.from(material, "base64"), Buffer.from(material, "hex"));
    for (const bytes of forms.filter(({ length }) => length > 0)) {
      for (let at = 0; at + 32 <= bytes.length && at < 512; at += 1) add(bytes.subarray(at, at + 32));
      add(createHash("sha256").update(bytes).digest());
      for (const info of infos) add(Buffer.from(hkdfSync("sha256", bytes, "", info, 32)));
    }
  }
  return [...keys.values()];
}

/** What opens with any of these keys, anywhere in the sealed values. */
function opened(keys: Buffer[], sealed: readonly Buffer[], contexts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const key of keys) {
    for (const bytes of sealed) {
      for (const context of contexts) {
        try {
          found.add(openWith(key, bytes, context).toString("latin1"));
        } catch {
          // not this one
        }
      }
    }
  }
  return [...found];
}

test("who has the whole database and every key of ours reads the card, and cannot read its CVV", {
  timeout: 60_000,
}, async () => {
  const { accountId } = await makeAccount();
  const { data } = await sealCard(accountId, card);
  const row = await forAccount(accountId, (tx) => tx.cardToken.findFirstOrThrow());
  const { id, wrappedKey, sealedCard, sealedCvv } = row;
  if (!wrappedKey || !sealedCard || !sealedCvv) throw new Error("nothing was sealed");

  const values = await everyValue();
  const kept = Buffer.concat(values.map((value) => Buffer.from(value)));
  expect(kept.includes(id)).toBe(true); // the search does see the row
  for (const secret of [data.token, data.token.slice(11), card.number, CVV]) expect(kept.includes(secret)).toBe(false);

  const ring = env.VAULT_KEYS.split(",").map((entry) => entry.split(":")[1] ?? "");
  const dataKey = open(wrappedKey, cardContext(accountId, id));
  const materials = new Set([...values, ...ring, dataKey, ...Object.values(process.env).map(String)]);
  const keys = keysFrom(materials);
  const sealed = values.filter((value) => Buffer.isBuffer(value));
  const contexts = [cardContext(accountId, id), `cvv:${accountId}:${id}`];

  expect(keys.length).toBeGreaterThan(1_000);
  const all = opened(keys, sealed, contexts);
  expect(all.some((text) => text.includes(card.number))).toBe(true); // the search does open what it has a key for
  expect(all.filter((text) => text.includes(CVV))).toEqual([]);
  expect(opened([cvvKey(data.token.slice(11))], sealed, contexts)).toEqual([CVV]); // and the token does open it
});

test("once the token is spent, the token itself opens nothing any more", async () => {
  const { accountId } = await makeAccount();
  const { data } = await sealCard(accountId, card);
  await forAccount(accountId, (tx) => spendToken(tx, accountId, data.token));
  const sealed = (await everyValue()).filter((value) => Buffer.isBuffer(value));
  const { id } = await forAccount(accountId, (tx) => tx.cardToken.findFirstOrThrow());
  expect(opened([cvvKey(data.token.slice(11))], sealed, [`cvv:${accountId}:${id}`])).toEqual([]);
});
