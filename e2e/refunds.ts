import { forAccount } from "@/lib/db";
import type { Refund } from "@/lib/refunds/schema";
import { paidDeposit, type Seller } from "./fixtures";

/** What a refund costs these sellers, in cents. */
export const FEE = 150;

/** Has the operator take a fee for each refund of a seller. */
export const chargeRefunds = ({ accountId: id }: Seller, refundFee = FEE) =>
  forAccount(id, (tx) => tx.account.update({ where: { id }, data: { refundFee } }));

/** Asks for a refund of a sale, as a program does. */
export async function askRefund(seller: Seller, sale: string, overrides: object = {}): Promise<Refund> {
  const body = { reason: "product_not_delivered", reason_details: "Extraviado nos Correios.", ...overrides };
  return (await seller.api<{ data: Refund }>("POST", `/api/partner/v1/transaction/${sale}/refund`, body)).data;
}

/** The refund of a sale of which nothing is known but its amount. */
export async function refundedBare(seller: Seller): Promise<Refund> {
  const { identifier } = await paidDeposit(seller, { client: undefined, description: undefined });
  return askRefund(seller, identifier, { reason_details: null });
}

/** A paid sale of R$ 132.00 of which a recipient has 30 %, with a refund of R$ 40.00 under review. */
export async function refunded(seller: Seller) {
  await chargeRefunds(seller);
  const { identifier: sale } = await paidDeposit(seller, {
    split: [{ percentage: 30, user_id: await seller.recipient() }],
  });
  return { sale, refund: await askRefund(seller, sale, { amount: "40.00" }) };
}
