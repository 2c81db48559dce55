import { createHmac, timingSafeEqual } from "node:crypto";
import { derivedKey } from "@/lib/auth/derived-key";
import { env } from "@/lib/env";

type Key = { accountId: string; id: string };

/** How many bytes of a link name the account and the subscription; the signature follows them. */
const NAMED_BYTES = 32;
const FORM = /^[\w-]{86}$/;

/**
 * The secret by which a payer sees one subscription, cancels it and changes its card, without an account with us. It is
 * signed and not stored, has no end, and says nothing of any other subscription. It belongs in a mail to the subscriber and
 * on their receipt, and in no log (`lib/http/hide-link.ts`).
 */
export function payerLink({ accountId, id }: Key): string {
  const named = Buffer.from((accountId + id).replaceAll("-", ""), "hex");
  return Buffer.concat([named, signatureOf(named)]).toString("base64url");
}

/** The page of a payer's link. */
export const payerUrl = (key: Key): string => `${env.APP_URL}/checkout/subscription/${payerLink(key)}`;

/** The subscription that a payer's link is of, or undefined for a link that we did not sign. */
export function readPayerLink(link: string): Key | undefined {
  if (!FORM.test(link)) return undefined;
  const bytes = Buffer.from(link, "base64url");
  const named = bytes.subarray(0, NAMED_BYTES);
  if (!timingSafeEqual(bytes.subarray(NAMED_BYTES), signatureOf(named))) return undefined;
  return { accountId: uuidOf(named.subarray(0, 16)), id: uuidOf(named.subarray(16)) };
}

const signatureOf = (named: Uint8Array) =>
  createHmac("sha256", derivedKey("repasse payer link")).update(named).digest();

const uuidOf = (bytes: Buffer) => bytes.toString("hex").replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
