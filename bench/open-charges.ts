import { forAccount } from "@/lib/db";
import { newAlphanumeric, newId } from "@/lib/ids";
import { insertSales } from "@/lib/transactions/insert";

const BATCH = 2_000;

/** Writes `count` open Pix charges of an account as the product does, with their events. They expire at `expiresAt`. */
export async function makeCharges(accountId: string, count: number, expiresAt: Date): Promise<void> {
  for (let left = count; left > 0; left -= BATCH) {
    const createdAt = new Date();
    const sales = Array.from({ length: Math.min(BATCH, left) }, () => ({
      ...{ accountId, id: newId(), method: "pix" as const, amount: 10_000, fee: 199, net: 9_801, shares: [] },
      ...{ txid: newAlphanumeric(25), pixCode: "000201", expiresAt, createdAt },
    }));
    await forAccount(accountId, (tx) => insertSales(tx, sales));
  }
}
