import { createHmac } from "node:crypto";

/**
 * The secret of the Standard Webhooks libraries for a token. Both signatures use one key: the ASCII characters of the
 * token (43 of base64url, 256 random bits), not the bytes that they encode. So a receiver checks `X-SyncPay-Signature`
 * with the token as it is, and the Standard Webhooks headers with the secret.
 */
export const secretOf = (token: string) => `whsec_${Buffer.from(token).toString("base64")}`;

/** `webhook-signature` of Standard Webhooks 1.0: base64 HMAC-SHA256 over `<id>.<unix seconds>.<raw body>`. */
export const standardSignature = (token: string, id: string, seconds: number, body: string) =>
  `v1,${createHmac("sha256", token).update(`${id}.${seconds}.${body}`).digest("base64")}`;

/** `X-SyncPay-Signature`: hex HMAC-SHA256 over `<unix seconds>.<raw body>`; receivers allow 300 s. */
export const syncPaySignature = (token: string, seconds: number, body: string) =>
  `t=${seconds},v1=${createHmac("sha256", token).update(`${seconds}.${body}`).digest("hex")}`;

type Signed = {
  contract: "cash" | "event" | "legacy";
  /** The event's name on the wire: `cashin.update`, `transaction.created`, … */
  event: string;
  eventId: string;
  /** New for every attempt. */
  attemptId: string;
  body: string;
  /**
   * The secrets in use, the newest first; none when the account has none to sign with: the Standard Webhooks id and time are sent
   * nevertheless.
   */
  tokens: readonly string[];
  at: Date;
};

/**
 * The headers of one attempt: those of its contract, and the Standard Webhooks ones on every contract. While a rotation overlaps
 * `webhook-signature` has a signature by each secret, and what can carry only one has that of the oldest.
 */
export function headersOf({ contract, event, eventId, attemptId, body, tokens, at }: Signed): Record<string, string> {
  const oldest = tokens.at(-1);
  const seconds = Math.floor(at.getTime() / 1000);
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Repasse-Webhooks/1.0",
    "webhook-id": eventId,
    "webhook-timestamp": String(seconds),
  };
  if (oldest) {
    headers["webhook-signature"] = tokens.map((token) => standardSignature(token, eventId, seconds, body)).join(" ");
  }
  if (contract === "cash") {
    headers.event = event;
    if (oldest) headers.authorization = `Bearer ${oldest}`;
  }
  if (contract === "event") {
    headers["x-syncpay-event"] = event;
    headers["x-syncpay-delivery"] = attemptId;
    if (oldest) headers["x-syncpay-signature"] = syncPaySignature(oldest, seconds, body);
  }
  return headers;
}
