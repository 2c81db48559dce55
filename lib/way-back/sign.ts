import { createHmac } from "node:crypto";
import { derivedKey } from "@/lib/vault/derived-key";
import { withQuery } from "@/lib/way-back/url";

/** The secret that signs the ways back of a public key's account. Another public key has another secret. */
export const returnSecretOf = (publicKey: string) =>
  createHmac("sha256", derivedKey("repasse way back")).update(publicKey).digest("base64url");

/** A sale by its id, and its status as V2 says it. */
type Sold = { referenceId: string; status: string };

/** The address after a payment: hex HMAC-SHA256 over `<unix seconds>.<reference_id>.<status>`; shops allow 300 s. */
export function signedUrl(address: string, secret: string, { referenceId, status }: Sold, at: Date): string {
  const t = Math.floor(at.getTime() / 1_000);
  const signature = createHmac("sha256", secret).update(`${t}.${referenceId}.${status}`).digest("hex");
  return withQuery(address, { reference_id: referenceId, status, t: String(t), signature });
}
