import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { env } from "@/lib/env";

type Key = { id: string; bytes: Buffer };

let ring: Key[] | undefined;

/**
 * Seals bytes with AES-256-GCM under the ring's first key. `context` is authenticated with it (whose and what for),
 * so a sealed value moved to another row does not open. Layout: id length, key id, 12-byte nonce, 16-byte tag, data.
 */
export function seal(plain: string | Buffer, context: string): Buffer {
  const [key] = keys();
  const id = Buffer.from(key.id);
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce).setAAD(Buffer.from(context));
  const data = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.from([id.length]), id, nonce, cipher.getAuthTag(), data]);
}

/** Opens what `seal` closed; throws when the key is gone, the context differs or a bit was changed. */
export function open(sealed: Uint8Array, context: string): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const start = 1 + (bytes[0] ?? 0);
  const id = bytes.toString("utf8", 1, start);
  const key = keys().find((candidate) => candidate.id === id);
  if (!key) throw new Error(`No key ${id} in VAULT_KEYS`);
  const decipher = createDecipheriv("aes-256-gcm", key.bytes, bytes.subarray(start, start + 12))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(start + 12, start + 28));
  return Buffer.concat([decipher.update(bytes.subarray(start + 28)), decipher.final()]);
}

function keys(): [Key, ...Key[]] {
  ring ??= env.VAULT_KEYS.split(",").map((entry) => {
    const at = entry.indexOf(":");
    const bytes = Buffer.from(entry.slice(at + 1), "base64");
    if (at < 1 || bytes.length !== 32) throw new Error("VAULT_KEYS must be kid:base64 of 32 bytes, comma separated");
    const id = entry.slice(0, at).trim();
    return { id, bytes: Buffer.from(hkdfSync("sha256", bytes, "", "repasse seal", 32)) };
  });
  return ring as [Key, ...Key[]];
}
