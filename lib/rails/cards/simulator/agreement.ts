import { createHmac } from "node:crypto";
import { isSameSecret } from "@/lib/rails/same-secret";

/**
 * The agreement between the simulated acquirer and its one client: how its calls are signed. Both sides may import this file, and
 * nothing else of each other.
 */
export const SIGNATURE_HEADER = "x-acquirer-signature";

/** How far the time of a signed call may differ from the receiver's, in both directions. */
const TOLERANCE_SECONDS = 300;

/** `t=<unix seconds>,v1=<hexadecimal HMAC-SHA256 over "<unix seconds>.<raw body>">`. */
export function signatureOf(secret: string, at: Date, rawBody: string): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${rawBody}`).digest("hex")}`;
}

/** Whether these headers sign this body and were made at most 300 s away from `now`. */
export function isSigned(secret: string, headers: Headers, rawBody: string, now: Date): boolean {
  const given = headers.get(SIGNATURE_HEADER) ?? "";
  const seconds = Number(/^t=(\d{1,12}),v1=/.exec(given)?.[1] ?? Number.NaN);
  if (!(Math.abs(now.getTime() / 1000 - seconds) <= TOLERANCE_SECONDS)) return false;
  return isSameSecret(given, signatureOf(secret, new Date(seconds * 1000), rawBody));
}
