import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";

/**
 * Checks a delivery's signatures, of Standard Webhooks and of its contract ("cash" or "event"), as a receiver would.
 * Returns why one is wrong, or undefined.
 */
export function signatureFault({ contract, secret }, headers, body) {
  try {
    new Webhook(`whsec_${Buffer.from(secret).toString("base64")}`).verify(body, headers);
  } catch (error) {
    return error.message;
  }
  if (contract === "cash") return headers.authorization === `Bearer ${secret}` ? undefined : "no Bearer";
  const { 1: t, 2: v1 } = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers["x-syncpay-signature"] ?? "") ?? [];
  const right = createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
  return v1 === right ? undefined : "X-SyncPay-Signature is wrong";
}
