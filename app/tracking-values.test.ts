import { expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { forAccount } from "@/lib/db";
import { aPayer, makeLink } from "@/lib/testing/checkout";
import { openHost } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { aCard, anOrder } from "@/lib/testing/shop";
import { advance, aPlan } from "@/lib/testing/subscriptions";

openRail();
const host = openHost(routes);
const V1 = "/api/partner/v1";
const V2 = "/api/partner/v2/transactions";

const utm = { source: "google", medium: "cpc", campaign: "natal", term: "camisa", content: "azul" };
const query = "utm_source=google&utm_medium=cpc&utm_campaign=natal&utm_term=camisa&utm_content=azul&src=a&sck=b";
const given = { utm: { ...utm, other: "x" }, src: "a", sck: "b", fbclid: "y" };
const kept = { utm, src: "a", sck: "b" };
const visitor = { client_ip: "203.0.113.7", user_agent: "Mozilla/5.0" };

const post = ({ token }: Made, path: string, body: object) => host.ask("POST", path, { token, body });

async function trackingOf({ token }: Made, id: unknown) {
  const { json } = await host.ask("GET", `${V2}/${id}`, { token });
  return (json.data as { tracking: object }).tracking;
}

const salesOf = ({ accountId }: Made) =>
  forAccount(accountId, (tx) => tx.transaction.findMany({ where: { accountId }, orderBy: { id: "asc" } }));

/** The form of a page as a browser sends it: its hidden fields, and what a payer typed. */
function formOf(text: string, typed: object) {
  const hidden = [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  return new URLSearchParams({ ...Object.fromEntries(hidden), ...typed }).toString();
}

async function send(token: string, address: string, typed: object) {
  const page = await host.ask("GET", `/checkout/${token}?${address}`);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return host.ask("POST", `/checkout/${token}`, { body: formOf(page.text, typed), headers });
}

test("a deposit, a card charge and a sale of the old API keep where they came from, and V2 and their events say it", async () => {
  const seller = await makeAccount();
  const deposit = await post(seller, `${V1}/cash-in`, { amount: 10, ...given, ...visitor });
  expect(await trackingOf(seller, deposit.json.identifier)).toEqual({ ...kept, ...visitor });

  const card = await post(seller, `${V1}/card-tokens`, aCard({ number: "4111111111111111" }));
  const order = anOrder((card.json.data as { token: string }).token, given);
  const charge = await post(seller, `${V1}/credit-card`, order);
  expect(await trackingOf(seller, charge.json.identifier)).toMatchObject(kept);

  const address = {
    city: "a",
    state: "SP",
    street: "a",
    country: "BR",
    zipCode: "1",
    neighborhood: "a",
    streetNumber: "1",
  };
  const customer = {
    cpf: "52998224725",
    name: "Ana",
    email: "ana@example.com",
    phone: "11987654321",
    externaRef: "7",
    address,
  };
  const checkout = { utm_source: "google", utm_campaign: 7, utm_other: "x", src: "a" };
  const old = await post(seller, "/v1/gateway/api", { ip: visitor.client_ip, amount: 10, customer, checkout });
  const ofOld = { utm: { source: "google", campaign: "7" }, src: "a", client_ip: visitor.client_ip, user_agent: null };
  expect(await trackingOf(seller, old.json.idTransaction)).toEqual(ofOld);

  const records = await forAccount(seller.accountId, (tx) =>
    tx.event.findMany({ where: { accountId: seller.accountId, type: "transaction.created" }, orderBy: { id: "asc" } }),
  );
  const [first] = records;
  expect(first?.record).toMatchObject({ tracking: kept, ...visitor });
});

test("a sale without such values keeps none, and an empty one counts as absent", async () => {
  const seller = await makeAccount();
  await post(seller, `${V1}/cash-in`, { amount: 10 });
  await post(seller, `${V1}/cash-in`, {
    amount: 10,
    utm: { source: " ", x: "y" },
    src: "",
    client_ip: "",
    user_agent: "",
  });
  expect((await salesOf(seller)).map(({ tracking, clientIp, userAgent }) => [tracking, clientIp, userAgent])).toEqual([
    [null, null, null],
    [null, null, null],
  ]);
});

test("values that are too long or no texts are refused at their fields, and nothing is written", async () => {
  const seller = await makeAccount();
  const long = "x".repeat(256);
  const wrong = { utm: { source: long, term: 7 }, src: long, sck: [], client_ip: "x", user_agent: "x".repeat(501) };
  const { status, json } = await post(seller, `${V1}/cash-in`, { amount: 10, ...wrong });
  expect(status).toBe(422);
  expect(Object.keys(json.errors as object).sort()).toEqual(
    ["client_ip", "sck", "src", "user_agent", "utm.source", "utm.term"].sort(),
  );
  expect(await salesOf(seller)).toEqual([]);
});

test("the page of a link keeps what its address says through a form that was refused, with the visitor's address", async () => {
  const seller = await makeAccount();
  const link = await makeLink(seller);
  const refused = await send(link, query, { ...aPayer, method: "pix", document: "1" });
  expect(refused.status).toBe(422);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const body = formOf(refused.text, { ...aPayer, method: "pix" });
  expect((await host.ask("POST", `/checkout/${link}`, { body, headers })).status).toBe(303);
  const [sale] = await salesOf(seller);
  expect(sale?.tracking).toEqual(kept);
  expect(await trackingOf(seller, sale?.id)).toMatchObject({ ...kept, client_ip: expect.any(String) });
});

test("no payer is refused for what an advertisement wrote: too long is cut, and a card's number is left out", async () => {
  const seller = await makeAccount();
  const link = await makeLink(seller);
  const address = `utm_source=${"x".repeat(300)}&utm_campaign=4111111111111111`;
  expect((await send(link, address, { ...aPayer, method: "pix" })).status).toBe(303);
  expect((await salesOf(seller))[0]?.tracking).toEqual({ utm: { source: "x".repeat(255) } });
});

test("all charges of a subscription carry where its sign-up came from", async () => {
  const seller = await makeAccount();
  const plan = await aPlan(seller);
  const person = { name: "Ana Prado", email: "ana@example.com", document: "52998224725" };
  const enrolled = await post(seller, `${V1}/subscription-plans/${plan}/enroll`, { ...person, ...given });
  const { payment } = enrolled.json as { payment: { identifier: string } };
  expect(await trackingOf(seller, payment.identifier)).toMatchObject(kept);
  await post(seller, `${V1}/sandbox/pix/${payment.identifier}/pay`, {});
  await advance(seller, 30);
  const sales = await salesOf(seller);
  expect(sales.length).toBeGreaterThan(1);
  expect(sales.map(({ tracking }) => tracking)).toEqual(sales.map(() => kept));
});

test("the list has the sales of a source and of a campaign alone, counted as they are listed", async () => {
  const [seller, other] = [await makeAccount(), await makeAccount()];
  const sale = (of: Made, source: string, campaign: string) =>
    post(of, `${V1}/cash-in`, { amount: 10, utm: { source, campaign } });
  const more = { medium: "cpc", term: "camisa", content: "azul" };
  const utm = { source: "google", campaign: "natal", ...more };
  const one = await post(seller, `${V1}/cash-in`, { amount: 10, utm, src: "a", sck: "b" });
  await sale(seller, "google", "verão");
  await sale(seller, "meta", "natal");
  await sale(other, "google", "natal");
  await post(seller, `${V1}/cash-in`, { amount: 10 });
  const found = async (filter: string) => {
    const { json } = await host.ask("GET", `${V2}?${filter}`, { token: seller.token });
    const { data, meta } = json as { data: { reference_id: string }[]; meta: { total: number } };
    expect(meta.total).toBe(data.length);
    return data.map(({ reference_id }) => reference_id);
  };
  expect(await found("utm_source=google")).toHaveLength(2);
  expect(await found("utm_campaign=natal")).toHaveLength(2);
  expect(await found("utm_source=google&utm_campaign=natal&status=pending")).toEqual([one.json.identifier]);
  expect(await found("utm_source=goo")).toEqual([]);
  for (const name of ["utm_medium=cpc", "utm_term=camisa", "utm_content=azul", "src=a", "sck=b"]) {
    expect(await found(`${name}&utm_source=google`), name).toEqual([one.json.identifier]);
  }
});

test("the export has the sales of the list's filters, with where each came from", async () => {
  const seller = await makeAccount();
  const sale = (utm: object) => post(seller, `${V1}/cash-in`, { amount: 10, utm, src: "=a" });
  await sale({ source: "google", campaign: "natal", term: "camisa, azul" });
  await sale({ source: "google", campaign: "verão" });
  const { text } = await host.ask("GET", `${V2}/export?utm_campaign=natal`, { token: seller.token });
  const [head, ...lines] = text.trim().split("\r\n");
  expect(head).toContain("reference_id,created_at,paid_at,payment_method,status,");
  expect(head).toMatch(/,utm_source,utm_medium,utm_campaign,utm_term,utm_content,src,sck$/);
  expect(lines).toEqual([expect.stringMatching(/,10\.00,.*,google,,natal,"camisa, azul",,'=a,$/)]);
});
