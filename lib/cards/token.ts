import { hkdfSync } from "node:crypto";
import { newSecret, sha256 } from "@/lib/ids";

const PREFIX = "card_token.";
const FORM = /^card_token\.([\w-]{43})$/;

/** A card token of 256 random bits, and what the database keeps of it. */
export function newCardToken(): { token: string; opaque: string; hash: Buffer } {
  const opaque = newSecret();
  return { token: PREFIX + opaque, opaque, hash: tokenHash(opaque) };
}

/** The opaque part of a token; undefined when it has not the form of one. */
export const opaqueOf = (token: string): string | undefined => FORM.exec(token)?.[1];

/** SHA-256 of the opaque part: it finds the row, and opens nothing. */
export const tokenHash = (opaque: string): Buffer => sha256(opaque);

/** The key of the CVV, which only the holder of the token can derive: neither it nor its source is ever stored. */
export const cvvKey = (opaque: string): Buffer => Buffer.from(hkdfSync("sha256", opaque, "", "repasse card cvv", 32));
