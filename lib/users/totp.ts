import { Secret, TOTP } from "otpauth";
import { realNow } from "@/lib/time/clock";

/** What authenticator apps know: SHA-1, six digits, steps of 30 s (RFC 6238). */
const PERIOD_S = 30;
const SECRET_BYTES = 20;

/** The context that the vault binds a person's secret to. */
export const totpContext = (userId: string) => `totp:${userId}`;

/** A new secret of a second factor, in base32. */
export const newTotpSecret = () => new Secret({ size: SECRET_BYTES }).base32;

const totpOf = (secret: string, label = "") =>
  new TOTP({ issuer: "Repasse", label, secret, period: PERIOD_S, digits: 6, algorithm: "SHA1" });

/** The otpauth URI that an app reads from a QR code. */
export const totpUri = (secret: string, email: string) => totpOf(secret, email).toString();

/**
 * The step whose code this is: the present one, or the one before or after it, because clocks differ; null for another code.
 */
export function stepOfCode(secret: string, code: string): bigint | null {
  const timestamp = realNow().getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : BigInt(Math.floor(timestamp / 1000 / PERIOD_S) + delta);
}
