import { expect, type Page, type Seller } from "./fixtures";
import { plan, product } from "./splits";
import { see } from "./visits";

type Shown = { data: { status: string; next_charge_at: string | null; charges: { status: string }[] } };

export const read = async (seller: Seller, token: string) =>
  (await seller.api<Shown>("GET", `/api/partner/v1/subscriptions/${token}`)).data;

type Enrolled = { subscription_token: string; payment: { identifier: string } };

/** Enrols somebody in a plan; returns the subscription's token and the sale of its first charge. */
export async function enrol(seller: Seller, planToken: string, overrides: object = {}) {
  const made = await seller.api<Enrolled>("POST", `/api/partner/v1/subscription-plans/${planToken}/enroll`, {
    ...{ name: "Zélia Prado", email: "zelia@example.com", document: "529.982.247-25", phone: "11987654321" },
    ...overrides,
  });
  return { token: made.subscription_token, sale: made.payment.identifier };
}

/** A subscription whose first charge is paid, of a plan of a new product. */
export async function active(seller: Seller, overrides: object = {}) {
  const productId = await product(seller);
  const { data } = await plan(seller, productId, overrides);
  const { token, sale } = await enrol(seller, data.token);
  await seller.api("POST", `/api/partner/v1/sandbox/pix/${sale}/pay`, {});
  await expect.poll(async () => (await read(seller, token)).status).toBe("active");
  return { token, productId, planToken: data.token };
}

const device = { ip: "203.0.113.7", user_agent: "test", page_url: "https://loja.example.com/pagar" };

async function cardToken(seller: Seller, number: string): Promise<string> {
  const card = { number, holder_name: "ZELIA PRADO", expiry_month: "12", expiry_year: "2035", cvv: "123" };
  return (await seller.api<{ data: { token: string } }>("POST", "/api/partner/v1/card-tokens", { card })).data.token;
}

/** A subscription whose first charge is paid by card. */
export async function byCard(seller: Seller): Promise<string> {
  const { data } = await plan(seller, await product(seller), { billing_method: "credit_card" });
  const card = { token: await cardToken(seller, "4111111111111111") };
  return (await enrol(seller, data.token, { card, device })).token;
}

/** The same, whose second charge was refused, because its card was replaced by one without money. */
export async function overdueByCard(seller: Seller): Promise<string> {
  const token = await byCard(seller);
  const card = { token: await cardToken(seller, "4000000000009995") };
  await seller.api("PUT", `/api/partner/v1/subscriptions/${token}/card`, { card, device });
  await advance(seller, 31);
  await expect.poll(async () => (await read(seller, token)).status).toBe("overdue");
  return token;
}

/** The card fields in a dialog of the dashboard. */
export const cardIn = (page: Page) => page.getByRole("dialog").frameLocator("iframe");

/** Moves the seller's clock ahead by so many days. */
export async function advance(seller: Seller, days: number) {
  type Advanced = { done: boolean; progress_id: string };
  let state = await seller.api<Advanced>("POST", "/api/partner/v1/sandbox/clock/advance", { days });
  while (!state.done) state = await seller.api("GET", `/api/partner/v1/sandbox/clock/advance/${state.progress_id}`);
}

export const seeSubscription = (page: Page, token: string) => see(page, `/subscriptions/${token}`);
