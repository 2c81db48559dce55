import { z } from "zod";
import { wayBackOf } from "@/lib/way-back/url";

const FORM =
  "Use https://, um domínio cadastrado e um caminho; sem #, sem usuário e sem reference_id, status, t e signature.";

const address = z
  .string()
  .trim()
  .max(1_000)
  .transform((text) => (text === "" ? null : text))
  .refine((text) => text === null || wayBackOf(text) !== undefined, FORM)
  .transform((text) => (text === null ? null : (wayBackOf(text) ?? null)));

const about = {
  return_url: {
    description:
      "Where the page leads after the payment: an address on a domain registered with the account's public key. Its query gains `reference_id`, `status` (as in V2), `t` (Unix seconds) and `signature`: hex HMAC-SHA256 over `<t>.<reference_id>.<status>` with the secret of GET /public-key/return-secret",
    example: "https://loja.com.br/obrigado?pedido=42",
  },
  cancel_url: {
    description: "Where a page that is not paid leads back to, under the same rules and with nothing added to it",
    example: "https://loja.com.br/carrinho",
  },
};

/** Of what is made: none where none is given. */
export const WayBackInput = {
  return_url: address
    .nullish()
    .transform((value) => value ?? null)
    .meta(about.return_url),
  cancel_url: address
    .nullish()
    .transform((value) => value ?? null)
    .meta(about.cancel_url),
};

/** Of a change: null or an empty text takes it away. */
export const WayBackChange = {
  return_url: address.nullable().optional().meta(about.return_url),
  cancel_url: address.nullable().optional().meta(about.cancel_url),
};

export const wayBackMembers = { return_url: z.string().nullable(), cancel_url: z.string().nullable() };

/** GET /public-key/return-secret. */
export const ReturnSecret = z.object({ data: z.object({ secret: z.string() }) });
export type ReturnSecret = z.output<typeof ReturnSecret>;

/** How a shop verifies a way back, as the reference and the page of the secret show it. */
export const verifying = {
  typescript: `import { createHmac, timingSafeEqual } from "node:crypto";

/** The reference_id of the sale that was paid, or null where the address is not ours, not fresh or not of a payment. */
export function paidSale(address: string, secret: string): string | null {
  const query = new URL(address).searchParams;
  const [id, status, t, signature] = ["reference_id", "status", "t", "signature"].map((name) => query.get(name) ?? "");
  const ours = createHmac("sha256", secret).update(\`\${t}.\${id}.\${status}\`).digest();
  const given = Buffer.from(signature ?? "", "hex");
  const isOurs = given.length === ours.length && timingSafeEqual(given, ours);
  const isFresh = Math.abs(Date.now() / 1000 - Number(t)) <= 300;
  return isOurs && isFresh && status === "completed" ? (id ?? null) : null;
}`,
  curl: `# secret: GET /api/partner/v1/public-key/return-secret; the others: from the address
printf '%s' "$t.$reference_id.$status" | openssl dgst -sha256 -hmac "$secret"
curl "$base/api/partner/v2/transactions/$reference_id" -H "Authorization: Bearer $token"`,
};
