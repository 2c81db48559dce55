import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { env } from "@/lib/env";
import * as program from "@/lib/vault/vault";

const { VAULT_KEYS } = env;
const key = (id: string) => `${id}:${randomBytes(32).toString("base64")}`;

/** The vault of a process that was started with these keys. */
function vaultOf(keys: string) {
  const withKeys =
    (act: (...given: never[]) => unknown) =>
    (...given: never[]) => {
      Object.assign(env, { VAULT_KEYS: keys });
      return act(...given);
    };
  return Object.fromEntries(Object.entries(program).map(([name, act]) => [name, withKeys(act)])) as typeof program;
}

const vault = vaultOf(VAULT_KEYS);
afterEach(() => void Object.assign(env, { VAULT_KEYS }));

test("what was encrypted decrypts, byte for byte, and never has the same ciphertext twice", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (bytes, context) => {
      const [one, two] = [vault.encrypt(Buffer.from(bytes), context), vault.encrypt(Buffer.from(bytes), context)];
      expect(vault.decrypt(one, context)).toEqual(Buffer.from(bytes));
      expect(one.equals(two)).toBe(false);
    }),
  );
  expect(vault.decrypt(vault.encrypt("segredo ção 🔒", "a"), "a").toString()).toBe("segredo ção 🔒");
});

test("an encrypted value does not decrypt in another context", () => {
  const encrypted = vault.encrypt("secret", "webhook:1");
  for (const context of ["webhook:2", "webhook:", "", "webhook:1 "])
    expect(() => vault.decrypt(encrypted, context)).toThrow();
});

test("a value with one bit changed, cut or lengthened does not decrypt", () => {
  const encrypted = vault.encrypt("secret", "a");
  for (let bit = 0; bit < encrypted.length * 8; bit += 1) {
    const changed = Buffer.from(encrypted);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => vault.decrypt(changed, "a"), `bit ${bit}`).toThrow();
  }
  for (let length = 0; length < encrypted.length; length += 1) {
    expect(() => vault.decrypt(encrypted.subarray(0, length), "a"), `${length} bytes`).toThrow();
  }
  expect(() => vault.decrypt(Buffer.concat([encrypted, Buffer.from([0])]), "a")).toThrow();
});

test("neither the text nor the key is visible in the ciphertext", () => {
  const encrypted = vault.encrypt("a very secret text", "a");
  expect(encrypted.includes("secret")).toBe(false);
  expect(encrypted.includes(Buffer.from(VAULT_KEYS.split(":")[1] ?? "", "base64"))).toBe(false);
});

test("a new first key encrypts, the older ones still decrypt, and a removed key decrypts nothing", async () => {
  const [older, newer] = [key("k1"), key("k2")];
  const before = vaultOf(older).encrypt("old", "a");
  const both = vaultOf(`${newer},${older}`);
  const after = both.encrypt("new", "a");
  expect([both.decrypt(before, "a"), both.decrypt(after, "a")].map(String)).toEqual(["old", "new"]);
  expect(after.includes("k2")).toBe(true);
  const alone = vaultOf(newer);
  expect(String(alone.decrypt(after, "a"))).toBe("new");
  expect(() => alone.decrypt(before, "a")).toThrow("No key k1");
  const impostor = vaultOf(key("k1"));
  expect(() => impostor.decrypt(before, "a")).toThrow();
});

test.each([
  "",
  "k1",
  "k1:",
  "k1:AAAA",
  `:${randomBytes(32).toString("base64")}`,
  `k1:${randomBytes(31).toString("base64")}`,
])("%j is no ring of keys", async (keys) => {
  const { encrypt } = vaultOf(keys);
  expect(() => encrypt("a", "a")).toThrow("VAULT_KEYS");
});

test("each row has its own key, which decrypts only in its own context and is never stored unwrapped", () => {
  const [one, two] = [vault.newDataKey("card:1"), vault.newDataKey("card:1")];
  expect(one.key.equals(two.key)).toBe(false);
  expect(one.wrapped.includes(one.key)).toBe(false);
  expect(vault.decrypt(one.wrapped, "card:1").equals(one.key)).toBe(true);
  expect(() => vault.decrypt(one.wrapped, "card:2")).toThrow();
  const encrypted = vault.encryptWith(one.key, "secret", "card:1");
  expect(String(vault.decryptWith(one.key, encrypted, "card:1"))).toBe("secret");
  expect(() => vault.decryptWith(one.key, encrypted, "card:2")).toThrow();
  expect(() => vault.decryptWith(two.key, encrypted, "card:1")).toThrow();
});

test("a rewrapped key is the same key under the ring's first one, so the older one can be removed", async () => {
  const [older, newer] = [key("k1"), key("k2")];
  const { key: bytes, wrapped } = vaultOf(older).newDataKey("a");
  const both = vaultOf(`${newer},${older}`);
  expect(wrapped.subarray(0, 3).equals(both.firstMark())).toBe(false);
  const again = both.rewrap(wrapped, "a");
  expect(again.subarray(0, 3).equals(both.firstMark())).toBe(true);
  expect(() => both.rewrap(wrapped, "b")).toThrow();
  expect(vaultOf(newer).decrypt(again, "a").equals(bytes)).toBe(true);
});

test("a fingerprint distinguishes cards, and cannot be made without its key", async () => {
  const { fingerprint } = vault;
  expect(fingerprint("4111111111111111")).toEqual(fingerprint("4111111111111111"));
  expect(fingerprint("4111111111111111")).not.toEqual(fingerprint("4242424242424242"));
  const before = fingerprint("4111111111111111");
  const { CARD_FINGERPRINT_KEY } = env;
  Object.assign(env, { CARD_FINGERPRINT_KEY: "x".repeat(43) });
  expect(fingerprint("4111111111111111")).not.toEqual(before);
  Object.assign(env, { CARD_FINGERPRINT_KEY });
});
