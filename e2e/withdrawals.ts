import { forAccount } from "@/lib/db";
import type { Withdrawal } from "@/lib/withdrawals/schema";
import type { Prisma } from "@/prisma/client/client";
import { expect, type Seller } from "./fixtures";

/** Whose every key of a sandbox is, by its simulated directory, and a key that is paid as soon as it is sent. */
export const payee = { document: "52998224725", key: "paid@psp.example" };

/** Sets what withdrawals of a seller cost and what limits them, in cents. */
export const setTerms = ({ accountId: id }: Seller, data: Prisma.AccountUpdateInput) =>
  forAccount(id, (tx) => tx.account.update({ where: { id }, data }));

/** Asks for a withdrawal, as a program does. */
export async function withdraw(seller: Seller, overrides: object = {}): Promise<string> {
  const { reference_id } = await seller.api<{ reference_id: string }>("POST", "/api/partner/v1/cash-out", {
    amount: 150,
    description: "Aluguel de novembro",
    pix_key_type: "EMAIL",
    pix_key: payee.key,
    document: { type: "CPF", number: payee.document },
    ...overrides,
  });
  return reference_id;
}

export const readWithdrawal = async (seller: Seller, id: string) =>
  (await seller.api<{ data: Withdrawal }>("GET", `/api/partner/v1/withdrawals/${id}`)).data;

/** A withdrawal that has arrived at this status by itself. */
export async function withdrawn(seller: Seller, status: Withdrawal["status"], overrides: object = {}): Promise<string> {
  const id = await withdraw(seller, overrides);
  await expect.poll(async () => (await readWithdrawal(seller, id)).status, { timeout: 15_000 }).toBe(status);
  return id;
}
