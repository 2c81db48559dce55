import { createHmac, hkdfSync } from "node:crypto";
import { newSecret, sha256 } from "@/lib/ids";

const PREFIX = "card_token.";
const FORM = /^card_token\.([\w-]{43})$/;

/** A new card token of 256 random bits, with its opaque part and the hash that the database keeps. */
export function newCardToken(): { token: string; opaque: string; hash: Buffer } {
  const opaque = newSecret();
  return { token: PREFIX + opaque, opaque, hash: tokenHash(opaque) };
}

/** The opaque part of a token; undefined for a text that has not the form of a token. */
export const opaqueOf = (token: string): string | undefined => FORM.exec(token)?.[1];

/** SHA-256 of the opaque part, which finds the row and decrypts nothing. */
export const tokenHash = (opaque: string): Buffer => sha256(opaque);

/**
 * The keys that only the holder of a token can derive; neither they nor the token are ever stored. `cvv` is the key of
 * the CVV; `cardOf` derives the key of the card from the row's own data key.
 */
export function keysOf(opaque: string): { cvv: Buffer; cardOf: (dataKey: Buffer) => Buffer } {
  const derived = Buffer.from(hkdfSync("sha256", opaque, "", "repasse card token", 64));
  const half = derived.subarray(32);
  return {
    cvv: derived.subarray(0, 32),
    cardOf: (dataKey) => createHmac("sha256", half).update(dataKey).digest(),
  };
}
