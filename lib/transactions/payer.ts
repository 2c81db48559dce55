import type { Sale } from "@/lib/transactions/sale";

/**
 * Whether a sale's Pix came from somebody else than its client. Of a sale without a client, and of a payer whose document the
 * rail does not tell whole, nobody can say so.
 */
export function isByOther(
  { clientDocument }: Pick<Sale, "clientDocument">,
  payer: { document: string | null } | null,
): boolean {
  const [named, paid] = [clientDocument, payer?.document].map((document) => document?.replace(/[^0-9A-Z]/g, "") ?? "");
  return isWhole(named) && isWhole(paid) && named !== paid;
}

/** A CPF or a CNPJ. */
const isWhole = (document = "") => document.length === 11 || document.length === 14;
