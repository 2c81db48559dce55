import { forAccount, type Tx } from "@/lib/db";
import { presentDeposit } from "@/lib/deposits/present";
import type { Intent } from "@/lib/idempotency";
import { callNow } from "@/lib/rails/call-now";
import type { Kind } from "@/lib/rails/calls";
import { type DynamicCharges, type Issued, type PixRail, railNamed } from "@/lib/rails/pix/port";
import { insertSales, type NewSale } from "@/lib/transactions/insert";
import { moveSales, writePixCodes } from "@/lib/transactions/move";
import { readSale } from "@/lib/transactions/read";
import type { Sale } from "@/lib/transactions/sale";

/**
 * Asks for a deposit on a rail that makes its codes itself. The first transaction writes the sale; then the rail is
 * asked; the second writes the code (`lib/rails/call-now.ts`). Without an answer the sale stays pending, and a sweep
 * asks about our txid until the rail gives the code, or surely never got the charge.
 * Throws `deposit_pending`, `deposit_not_made` and what `callNow` throws.
 */
export function chargeDeposit(rail: PixRail & DynamicCharges, request: Request, charge: Charge, intent: Intent) {
  const { accountId, id, createdAt, expiresAt } = request;
  const txid = id.replaceAll("-", "");
  const validMs = expiresAt.getTime() - createdAt.getTime();
  const begin = async (tx: Tx) => {
    const [row] = await insertSales(tx, [{ ...request, txid }]);
    return { row: row as Sale, ask: () => rail.charge({ ...charge, txid, validMs }) };
  };
  const { provider } = rail;
  const verb = { kind: depositCharge, provider, begin, read: readSale, present: presentDeposit };
  return callNow({ accountId, id }, verb, intent);
}

type Request = NewSale & { expiresAt: Date };
type Charge = Omit<Parameters<DynamicCharges["charge"]>[0], "txid" | "validMs">;

/** The call that a deposit is on a rail that makes its codes itself. Our id of it is its sale's; the rail knows the txid. */
export const depositCharge = {
  name: "deposit",

  async find({ accountId, id, provider }) {
    const rail = railNamed(provider);
    if (!rail?.charge) throw new Error(`No rail that makes charges is named ${provider}`);
    const { amount, txid } = await forAccount(accountId, (tx) => readSale(tx, { accountId, id }));
    return rail.findCharge({ txid: txid as string, amount: Number(amount) });
  },

  /** The sale's code, or its failure, with the event. */
  write(tx, { accountId, id }, answer) {
    if (answer.status === "lost") return moveSales(tx, "fail", [{ accountId, id }]);
    return writePixCodes(tx, [{ accountId, id, pixCode: answer.code }]);
  },
} satisfies Kind<Issued>;
