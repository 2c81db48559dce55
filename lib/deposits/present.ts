import { iso } from "@/lib/time/clock";
import { pixCodeOf } from "@/lib/transactions/pix-code";
import type { Sale } from "@/lib/transactions/sale";

type Asked = Pick<Sale, "id" | "status" | "txid" | "pixCode" | "expiresAt">;

/** A deposit's answer: its code. Throws as `pixCodeOf` does. */
export function presentDeposit({ expiresAt, ...sale }: Asked) {
  const pixCode = pixCodeOf(sale);
  if (!expiresAt) throw new Error("A deposit's code expires");
  return {
    message: "Cobrança Pix criada.",
    pix_code: pixCode,
    identifier: sale.id,
    expires_at: iso(expiresAt),
    txid: sale.txid,
  };
}
