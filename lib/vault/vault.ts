import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/lib/env";
import { openRandom } from "@/lib/ids";

type Key = { id: string; bytes: Buffer };

let ring: { text: string; keys: Key[] } | undefined;

/**
 * Encrypts bytes with AES-256-GCM under the ring's first key. `context` (whose value, and what for) is authenticated
 * with it, so a value that is moved to another row cannot be decrypted. Layout: id length, key id, 12-byte nonce,
 * 16-byte tag, data.
 */
export function encrypt(plain: string | Buffer, context: string): Buffer {
  const [key] = keys();
  return Buffer.concat([mark(key), encryptWith(key.bytes, plain, context)]);
}

/** Decrypts what `encrypt` made; throws when the key is gone, the context differs or a bit was changed. */
export function decrypt(encrypted: Uint8Array, context: string): Buffer {
  const bytes = bufferOf(encrypted);
  const start = 1 + (bytes[0] ?? 0);
  const id = bytes.toString("utf8", 1, start);
  const key = keys().find((candidate) => candidate.id === id);
  if (!key) throw new Error(`No key ${id} in VAULT_KEYS`);
  return decryptWith(key.bytes, bytes.subarray(start), context);
}

/** Encrypts with AES-256-GCM under the caller's own key of 32 bytes. Layout: 12-byte nonce, 16-byte tag, data. */
export function encryptWith(key: Buffer, plain: string | Buffer, context: string): Buffer {
  const nonce = openRandom(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  const data = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), data]);
}

/** Decrypts what `encryptWith` made; throws when the key or the context differs or a bit was changed. */
export function decryptWith(key: Buffer, encrypted: Uint8Array, context: string): Buffer {
  const bytes = bufferOf(encrypted);
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
}

/** A row's own data key, and the same key wrapped by the ring, which is stored beside the encrypted bytes. */
export function newDataKey(context: string): { key: Buffer; wrapped: Buffer } {
  const key = randomBytes(32);
  return { key, wrapped: encrypt(key, context) };
}

/** Encrypts again, under the ring's first key, what any key of the ring had encrypted. Throws as `decrypt` does. */
export const rewrap = (encrypted: Uint8Array, context: string): Buffer => encrypt(decrypt(encrypted, context), context);

/** The first bytes of every value under the ring's first key; a value that begins otherwise still needs `rewrap`. */
export const firstMark = (): Buffer => mark(keys()[0]);

/** Keyed hash of a card's number: the same card has the same fingerprint, which does not reveal the number. */
export const fingerprint = (number: string): Buffer =>
  createHmac("sha256", env.CARD_FINGERPRINT_KEY).update(number).digest();

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => Buffer.from(buffer, byteOffset, byteLength);

function mark({ id }: Key): Buffer {
  const name = Buffer.from(id);
  return Buffer.concat([Buffer.from([name.length]), name]);
}

function keys(): [Key, ...Key[]] {
  const text = env.VAULT_KEYS;
  if (ring?.text !== text) ring = { text, keys: text.split(",").map(parseKey) };
  return ring.keys as [Key, ...Key[]];
}

function parseKey(entry: string): Key {
  const at = entry.indexOf(":");
  const bytes = Buffer.from(entry.slice(at + 1), "base64");
  if (at < 1 || bytes.length !== 32) throw new Error("VAULT_KEYS must be kid:base64 of 32 bytes, comma separated");
  const id = entry.slice(0, at).trim();
  return { id, bytes: Buffer.from(hkdfSync("sha256", bytes, "", "repasse seal", 32)) };
}
