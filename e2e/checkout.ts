import { payerLink } from "@/lib/billing/payer-link";
import type { Page, Seller } from "./fixtures";

type Link = { data: { token: string; url: string } };

/** Makes a payment link of the seller; returns its token. */
export async function link(seller: Seller, overrides: object = {}): Promise<string> {
  const body = { amount: 132, description: "Assinatura da revista", ...overrides };
  return (await seller.api<Link>("POST", "/api/partner/v1/payment-links", body)).data.token;
}

export const payer = {
  name: "Zélia Prado",
  email: "zelia@example.com",
  document: "529.982.247-25",
  phone: "(11) 98765-4321",
};

/** Begins a payment by Pix as the page does; returns its id. */
export async function begin(seller: Seller, token: string): Promise<string> {
  const path = `/api/public/v1/checkout/${token}/pay`;
  const { data } = await seller.api<{ data: { payment: string } }>("POST", path, { ...payer, method: "pix" });
  return data.payment;
}

export const payNow = (seller: Seller, payment: string) =>
  seller.api("POST", `/api/partner/v1/sandbox/pix/${payment}/pay`, {});
export const expireNow = (seller: Seller, payment: string) =>
  seller.api("POST", `/api/partner/v1/sandbox/pix/${payment}/expire`, {});

/** The payer's page of what this payer subscribed to. */
export const payerPage = ({ accountId }: Seller, id: string) =>
  `/checkout/subscription/${payerLink({ accountId, id, email: payer.email })}`;

/** Fills the payer's own fields. */
export async function fillPayer(page: Page) {
  await page.getByLabel("Nome completo").fill(payer.name);
  await page.getByLabel("E-mail").fill(payer.email);
  await page.getByLabel("CPF ou CNPJ").fill("52998224725");
  await page.getByLabel("Celular").fill("11987654321");
}

/** The card fields in the checkout. */
export const cardIn = (page: Page) => page.frameLocator("#card-frame iframe");

export async function typeCardIn(page: Page, number = "4111111111111111", card = cardIn(page)) {
  await card.getByLabel("Número do cartão").fill(number);
  await card.getByLabel("Nome impresso no cartão").fill("ZELIA PRADO");
  await card.getByLabel("Validade").fill("12/35");
  await card.getByLabel("Código").fill("737");
}

/** The id of the payment that the page shows. */
export const paymentOf = (page: Page) => new URL(page.url()).searchParams.get("payment") ?? "";
