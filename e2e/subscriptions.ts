import { expect, type Seller } from "./fixtures";
import { plan, product } from "./splits";

type Enrolled = { subscription_token: string; payment: { identifier: string } };
type Item = { token: string; status: string };

/** A plan of a product of the seller; returns its token. */
export const planToken = async (seller: Seller, overrides: object = {}) =>
  (await plan(seller, await product(seller), overrides)).data.token;

/** Enrols somebody by Pix; returns the subscription's token and the sale of its first charge. */
export async function enroll(seller: Seller, planOf: string, overrides: object = {}) {
  const person = { name: "Zélia Prado", email: "zelia@example.com", document: "529.982.247-25", ...overrides };
  const path = `/api/partner/v1/subscription-plans/${planOf}/enroll`;
  const { subscription_token: token, payment } = await seller.api<Enrolled>("POST", path, person);
  return { token, sale: payment.identifier };
}

/** An active subscription: its first charge is paid. */
export async function subscribed(seller: Seller, planOf: string, overrides: object = {}): Promise<string> {
  const { token, sale } = await enroll(seller, planOf, overrides);
  await seller.api("POST", `/api/partner/v1/sandbox/pix/${sale}/pay`, {});
  await expect.poll(() => statusOf(seller, token)).toBe("active");
  return token;
}

export const statusOf = async (seller: Seller, token: string) =>
  (await seller.api<{ data: Item }>("GET", `/api/partner/v1/subscriptions/${token}`)).data.status;

/** Moves the seller's clock ahead, and waits until it is there. */
export async function advanceDays(seller: Seller, days: number) {
  await seller.api("POST", "/api/partner/v1/sandbox/clock/advance", { days });
  const running = () => seller.api<{ advance: object | null }>("GET", "/api/partner/v1/sandbox/clock");
  await expect.poll(async () => (await running()).advance, { timeout: 30_000 }).toBeNull();
}

/** Somebody of every status: overdue and suspended for not paying, paused, active, waiting and cancelled. */
export async function everyStatus(seller: Seller): Promise<{ plan: string; overdue: string }> {
  const slow = await planToken(seller, { name: "Anual com entrega em casa e um encontro por mês", amount: "1299.00" });
  const patient = { grace_period_days: 20, max_retry_attempts: 5 };
  const [token, strict] = await Promise.all([
    planToken(seller, patient),
    planToken(seller, { name: "Semanal", grace_period_days: 1, max_retry_attempts: 0 }),
  ]);
  const overdue = await subscribed(seller, token, { name: "Bento Nogueira de Albuquerque e Vasconcelos" });
  await subscribed(seller, strict, { name: "Clara Lima", email: "clara@example.com", document: "11144477735" });
  const paused = await subscribed(seller, slow, { name: "Davi Rocha", email: "davi@example.com" });
  await seller.api("PATCH", `/api/partner/v1/subscriptions/${paused}/pause`, {});
  await advanceDays(seller, 36);
  await subscribed(seller, slow);
  await enroll(seller, token, { name: "Elisa Prado" });
  const gone = await enroll(seller, token, { name: "Fábio Reis" });
  await seller.api("PATCH", `/api/partner/v1/subscriptions/${gone.token}/cancel`, {});
  return { plan: token, overdue };
}
