import { expect, makeSeller, paidDeposit, type Seller } from "./fixtures";

/** A product of the seller; returns its id. */
export async function product(seller: Seller, overrides: object = {}): Promise<string> {
  const body = { name: "Clube do livro", ...overrides };
  const { data } = await seller.api<{ data: { reference_id: string } }>("POST", "/api/partner/v1/products", body);
  return data.reference_id;
}

type Planned = { data: { token: string } };

/** A plan of a product of the seller; answers what the API answers. */
export const plan = (seller: Seller, productId: string, overrides: object = {}) =>
  seller.api<Planned>("POST", `/api/partner/v1/products/${productId}/subscription-plans`, {
    ...{ name: "Mensal", amount: "49.90", billing_method: "qr_code" },
    ...overrides,
  });

type Invited = { data: { id: number } };

/** Invites to a part of each sale of a plan; returns the invite's number. */
export async function invite(seller: Seller, token: string, email: string, percentage: string): Promise<number> {
  const path = `/api/partner/v1/subscription-plans/${token}/splits`;
  return (await seller.api<Invited>("POST", path, { email, percentage })).data.id;
}

/** Another seller's plan, and the number of its invite to this one. */
export async function invitedBy(guest: Seller, percentage = "12.50", overrides: object = {}) {
  const other = await makeSeller();
  const { data } = await plan(other, await product(other), overrides);
  const id = await invite(other, data.token, guest.email, percentage);
  return { other, token: data.token, id };
}

export const accept = (guest: Seller, id: number) =>
  guest.api("POST", `/api/partner/v1/subscription-splits/${id}/accept`);

/** What others' paid sales gave this seller, once it is collected. */
export async function earn(guest: Seller, sales: readonly number[]) {
  const { other, token, id } = await invitedBy(guest);
  await accept(guest, id);
  for (const amount of sales) await paidDeposit(other, { amount, plan_token: token });
  const read = () => guest.api<{ meta: { total: number } }>("GET", `/api/partner/v1/earnings?plan=${token}`);
  await expect.poll(async () => (await read()).meta.total).toBe(sales.length);
  return token;
}
