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

/** Moves the seller's clock ahead by so many days. */
export async function advance(seller: Seller, days: number) {
  type Advanced = { done: boolean; progress_id: string };
  let state = await seller.api<Advanced>("POST", "/api/partner/v1/sandbox/clock/advance", { days });
  while (!state.done) state = await seller.api("GET", `/api/partner/v1/sandbox/clock/advance/${state.progress_id}`);
}

export const seeSubscription = (page: Page, token: string) => see(page, `/subscriptions/${token}`);
