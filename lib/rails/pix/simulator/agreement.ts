import { createHmac } from "node:crypto";
import { isSameSecret } from "@/lib/rails/same-secret";

/**
 * The agreement between the simulated PSP and its one client: the client's Pix key, the signature of calls, the form of
 * ids. Both sides may import this file, and nothing else of each other.
 */
export const PIX_KEY = "5f0c2a4e-9d1b-4c7a-8e36-2b7f41d0c9a8";

export const SIGNATURE_HEADER = "x-psp-signature";
export const TIMESTAMP_HEADER = "x-psp-timestamp";

/**
 * The client's business time in calls about Pix Automático, because the clock of a client's sandbox may be ahead: ISO
 * 8601. The PSP has no other clock of business days.
 */
export const NOW_HEADER = "x-simulator-now";

/** How far the time of a signed call may differ from the receiver's, in both directions. */
const TOLERANCE_SECONDS = 300;

/** Hexadecimal HMAC-SHA256 over `<unix seconds>.<raw body>`. */
export const sign = (secret: string, timestamp: string, rawBody: string) =>
  createHmac("sha256", secret).update(`${timestamp}.${rawBody}`).digest("hex");

/** Whether these headers sign this body and were made at most 300 s away from `now`. */
export function isSigned(secret: string, headers: Headers, rawBody: string, now: Date): boolean {
  const timestamp = headers.get(TIMESTAMP_HEADER) ?? "";
  const signature = headers.get(SIGNATURE_HEADER) ?? "";
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  return isSameSecret(signature, sign(secret, timestamp, rawBody));
}
