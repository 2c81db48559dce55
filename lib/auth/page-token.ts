import { createHmac, timingSafeEqual } from "node:crypto";
import { realNow } from "@/lib/time/clock";
import { derivedKey } from "@/lib/vault/derived-key";

/** Real time. */
const LIFETIME_MS = 10 * 60 * 1000;

const FORM = /^(\d{13})\.([\w-]{43})$/;

/**
 * Signs that we served a page for this public key. Our own pages may tokenize with the key, whatever domains its
 * account has listed. The token is valid for 10 minutes and for this key only. It is no secret, because everyone who
 * sees the page can read it.
 */
export function signPageToken(publicKey: string): string {
  const until = String(realNow().getTime() + LIFETIME_MS);
  return `${until}.${signature(publicKey, until).toString("base64url")}`;
}

/** Whether `signPageToken` made this token for this key at most 10 minutes ago, in constant time. */
export function isPageToken(token: string, publicKey: string): boolean {
  const [, until = "", signed = ""] = FORM.exec(token) ?? [];
  const given = Buffer.alloc(32);
  given.write(signed, "base64url");
  const isSigned = timingSafeEqual(given, signature(publicKey, until));
  return isSigned && Number(until) > realNow().getTime();
}

const signature = (publicKey: string, until: string) =>
  createHmac("sha256", derivedKey("repasse page token")).update(`${until}.${publicKey}`).digest();
