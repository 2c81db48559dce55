import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { forAccount } from "@/lib/db";
import { addDomain, removeDomain } from "@/lib/public-keys/domains";
import { regeneratePublicKey } from "@/lib/public-keys/public-key";
import { aPayer, makeLink, payAs, settleAs } from "@/lib/testing/checkout";
import { openHost } from "@/lib/testing/http";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { aPlan, enrolled, payCode } from "@/lib/testing/subscriptions";

const host = openHost(routes);
const SHOP = "https://loja.example";

/** A seller whose shop is registered. */
async function aShop(overrides: object = {}) {
  const seller = await makeAccount(overrides);
  const { data } = await addDomain(seller.account, { origin: SHOP }, call());
  return { seller, domainId: data.id };
}

const locationOf = async (path: string) => {
  const { status, headers } = await host.ask("GET", path);
  expect([status, headers.get("referrer-policy")]).toEqual([303, "no-referrer"]);
  return headers.get("location") ?? "";
};
const backOf = (token: string, payment?: string) =>
  locationOf(`/checkout/${token}/back${payment ? `?payment=${payment}` : ""}`);

const secretOf = async ({ token }: Made): Promise<string> =>
  ((await host.ask("GET", "/api/partner/v1/public-key/return-secret", { token })).json as { data: { secret: string } })
    .data.secret;

/** What a shop does with who comes back: ten lines. */
function verified(address: string, secret: string): { id: string; status: string } | null {
  const query = new URL(address).searchParams;
  const [id = "", status = "", t = "", given = ""] = ["reference_id", "status", "t", "signature"].map(
    (name) => query.get(name) ?? "",
  );
  const ours = createHmac("sha256", secret).update(`${t}.${id}.${status}`).digest("hex");
  return given === ours && Math.abs(Date.now() / 1000 - Number(t)) <= 300 ? { id, status } : null;
}

const paths = (made: Made) => ({
  post: (path: string, body: object) => host.ask("POST", `/api/partner/v1${path}`, { token: made.token, body }),
  patch: (path: string, body: object) => host.ask("PATCH", `/api/partner/v1${path}`, { token: made.token, body }),
  put: (path: string, body: object) => host.ask("PUT", `/api/partner/v1${path}`, { token: made.token, body }),
});

test("a paid link leads to its shop with the sale, its status and a signature that verifies; what was changed does not", async () => {
  const { seller } = await aShop();
  const link = await makeLink(seller, { return_url: `${SHOP}/obrigado?pedido=4%202`, cancel_url: `${SHOP}/carrinho` });
  const { data } = await payAs(link);
  expect(await backOf(link, data.payment)).toBe(`${SHOP}/carrinho`); // not paid: no signature
  expect(await backOf(link)).toBe(`${SHOP}/carrinho`);
  await settleAs(seller, data.payment);
  const address = await backOf(link, data.payment);
  expect(address.startsWith(`${SHOP}/obrigado?pedido=4%202&reference_id=${data.payment}&status=completed&t=`)).toBe(
    true,
  );
  const secret = await secretOf(seller);
  expect(verified(address, secret)).toEqual({ id: data.payment, status: "completed" });
  for (const changed of [
    address.replace("status=completed", "status=refunded"),
    address.replace(data.payment, link),
    address.replace(/t=\d+/, (t) => `${t.slice(0, -1)}${(Number(t.at(-1)) + 1) % 10}`),
  ]) {
    expect(changed).not.toBe(address);
    expect(verified(changed, secret)).toBeNull();
  }
  const other = await aShop();
  expect(verified(address, await secretOf(other.seller))).toBeNull();
  await regeneratePublicKey(seller.account, call());
  expect(verified(await backOf(link, data.payment), secret)).toBeNull();
  expect(verified(await backOf(link, data.payment), await secretOf(seller))).not.toBeNull();
});

test("a plan leads back too, and keeps its way where a change does not name it", async () => {
  const { seller } = await aShop();
  const plan = await aPlan(seller, { return_url: `${SHOP}/assinou` });
  const api = paths(seller);
  expect((await api.put(`/subscription-plans/${plan}`, { name: "Outro nome" })).json).toMatchObject({
    data: { return_url: `${SHOP}/assinou`, cancel_url: null },
  });
  const { sale } = await enrolled(seller, plan);
  await payCode(seller, sale);
  const address = await backOf(plan, sale);
  expect(verified(address, await secretOf(seller))).toEqual({ id: sale, status: "completed" });
  expect((await api.put(`/subscription-plans/${plan}`, { return_url: null })).json).toMatchObject({
    data: { return_url: null },
  });
  expect(await backOf(plan, sale)).toBe(`/checkout/${plan}?payment=${sale}`);
});

test.each([
  "//evil.example",
  "\\\\evil.example",
  "javascript:alert(1)",
  "https://evil.example/",
  "https://user:secret@loja.example/",
  "https://loja.example/#a",
  "http://loja.example/",
])("%s is refused when it is saved and, where it stands all the same, when it is used", async (evil) => {
  const { seller } = await aShop();
  const api = paths(seller);
  const link = await makeLink(seller);
  for (const name of ["return_url", "cancel_url"]) {
    const refused = { status: 422, json: { errors: { [name]: [expect.any(String)] } } };
    const body = { amount: 10, description: "Livro", [name]: evil };
    expect(await api.post("/payment-links", body)).toMatchObject(refused);
    expect(await api.patch(`/payment-links/${link}`, { [name]: evil })).toMatchObject(refused);
    const plan = { name: "Mensal", amount: 10, billing_method: "qr_code", [name]: evil };
    expect(await api.post("/subscription-plans", plan)).toMatchObject(refused);
  }
  const { data } = await payAs(link);
  await settleAs(seller, data.payment);
  await forAccount(seller.accountId, (tx) =>
    tx.paymentLink.updateMany({ where: { id: link }, data: { returnUrl: evil, cancelUrl: evil } }),
  );
  expect(await backOf(link, data.payment)).toBe(`/checkout/${link}?payment=${data.payment}`);
  expect(await backOf(link)).toBe(`/checkout/${link}`);
  for (const page of [`/checkout/${link}`, `/checkout/${link}?payment=${data.payment}`]) {
    const { text } = await host.ask("GET", page);
    expect(text).not.toContain("/back");
    expect(text).not.toContain("evil.example");
  }
});

test("a domain that was removed ends the way back, and so does an account that may not sell", async () => {
  const { seller, domainId } = await aShop();
  const link = await makeLink(seller, { return_url: `${SHOP}/a`, cancel_url: `${SHOP}/b` });
  const { data } = await payAs(link);
  await settleAs(seller, data.payment);
  const paidPage = `/checkout/${link}?payment=${data.payment}`;
  expect((await host.ask("GET", paidPage)).text).toContain(`href="/checkout/${link}/back?payment=${data.payment}"`);
  expect((await host.ask("GET", `/checkout/${link}`)).text).toContain(`href="/checkout/${link}/back"`);
  await removeDomain(seller.account, { id: domainId });
  expect(await backOf(link, data.payment)).toBe(paidPage);
  expect((await host.ask("GET", paidPage)).text).not.toContain("/back?");
  await addDomain(seller.account, { origin: SHOP }, call());
  expect(await backOf(link, data.payment)).toContain(SHOP);
  await forAccount(seller.accountId, (tx) =>
    tx.account.update({ where: { id: seller.accountId }, data: { status: "suspended" } }),
  );
  expect(await backOf(link, data.payment)).toBe(paidPage);
});

test("a live account's way back is https, and a payment of another page leads nowhere", async () => {
  const live = await makeAccount({ mode: "live" });
  await addDomain(live.account, { origin: "http://localhost:4000" }, call());
  const body = { amount: 10, description: "Livro", return_url: "http://localhost:4000/a" };
  expect(await paths(live).post("/payment-links", body)).toMatchObject({ status: 422 });
  const { seller } = await aShop();
  await addDomain(seller.account, { origin: "http://localhost:4000" }, call());
  expect(await paths(seller).post("/payment-links", body)).toMatchObject({ status: 201 });
  const [one, other] = [await makeLink(seller), await makeLink(seller, { return_url: `${SHOP}/a` })];
  const { data } = await payAs(one, aPayer);
  await settleAs(seller, data.payment);
  expect((await host.ask("GET", `/checkout/${other}/back?payment=${data.payment}`)).status).toBe(404);
});
