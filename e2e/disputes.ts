import type { Dispute, DisputePage } from "@/lib/disputes/schema";
import { expect, paidDeposit, type Seller } from "./fixtures";

/** Disputes a paid Pix sale at the simulator, and waits until its callback has arrived. */
export async function disputeSale(seller: Seller, sale: string, body: object = {}): Promise<Dispute> {
  await seller.api("POST", `/api/partner/v1/sandbox/pix/${sale}/med`, body);
  const find = async () => {
    const { data } = await seller.api<DisputePage>("GET", `/api/partner/v1/disputes?reference_id=${sale}`);
    return data[0];
  };
  await expect.poll(find, { timeout: 15_000 }).toBeDefined();
  return (await find()) as Dispute;
}

/** A paid sale of R$ 132.00 of which a recipient has 30 %, with an open dispute. */
export async function disputed(seller: Seller, body: object = {}) {
  const { identifier: sale } = await paidDeposit(seller, {
    split: [{ percentage: 30, user_id: await seller.recipient() }],
  });
  return { sale, dispute: await disputeSale(seller, sale, body) };
}
