import { createHmac, timingSafeEqual } from "node:crypto";
import { env } from "@/lib/env";
import { digitsOf } from "@/lib/ids";
import { derivedKey } from "@/lib/vault/derived-key";

type Key = { accountId: string; id: string };
/** Whose link it is: the subscription, and the e-mail that it is of now. */
type Payer = Key & { email: string };

/** How many bytes of a link name the account and the subscription; the signature follows them. */
const NAMED_BYTES = 32;
const FORM = /^[\w-]{86}$/;

/**
 * The secret by which a payer sees one subscription, cancels it and changes its card, without an account with us. It is
 * signed and not stored, ends with the subscription's e-mail, and says nothing of any other subscription. It belongs in the
 * mails of what is paid and of its card, and on its receipt; in none that is passed on for somebody else to pay, and in no
 * log (`lib/http/hide-link.ts`).
 */
export function payerLink({ accountId, id, email }: Payer): string {
  const named = Buffer.from(digitsOf(accountId + id), "hex");
  return Buffer.concat([named, signatureOf(named, email)]).toString("base64url");
}

/** The page of a payer's link. */
export const payerUrl = (payer: Payer): string => `${env.APP_URL}/checkout/subscription/${payerLink(payer)}`;

/** The subscription that a link names, or undefined for what is no link. Whether we signed it, `isLinkOf` says. */
export function namedBy(link: string): Key | undefined {
  if (!FORM.test(link)) return undefined;
  const bytes = Buffer.from(link, "base64url");
  return { accountId: uuidOf(bytes.subarray(0, 16)), id: uuidOf(bytes.subarray(16, NAMED_BYTES)) };
}

/** Whether a link is this payer's, signed by us. */
export function isLinkOf(link: string, payer: Payer): boolean {
  const [given, ours] = [link, payerLink(payer)].map((one) => Buffer.from(one));
  return given !== undefined && ours !== undefined && given.length === ours.length && timingSafeEqual(given, ours);
}

const signatureOf = (named: Uint8Array, email: string) =>
  createHmac("sha256", derivedKey("repasse payer link")).update(named).update(email).digest();

const uuidOf = (bytes: Buffer) => bytes.toString("hex").replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
