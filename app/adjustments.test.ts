import { expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { openHost } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import { aStaffPerson } from "@/lib/testing/staff";

const host = openHost(routes);
const pathOf = (id: string) => `/api/operator/v1/accounts/${id}/adjustments`;
const CREDIT = { direction: "credit", amount: "25.00", reason: "Taxa cobrada a mais." };

/** The headers of a new person of the operator's staff. */
const staff = async () => ({ cookie: (await aStaffPerson()).cookie, "sec-fetch-site": "same-origin" });

const available = async ({ accountId }: Made) => (await readBalances(accountId)).available;
const adjustments = ({ accountId }: Made) => forAccount(accountId, (tx) => tx.adjustment.count());

test("the staff credits an account and debits it again, and the seller reads both with their reasons", async () => {
  const seller = await makeAccount();
  const headers = await staff();
  const post = (body: object) => host.ask("POST", pathOf(seller.accountId), { headers, body });
  expect(await post(CREDIT)).toMatchObject({ status: 201, json: { data: { ...CREDIT, id: expect.any(String) } } });
  const more = { direction: "debit", amount: "25.01", reason: "Crédito por engano." };
  expect(await post(more)).toMatchObject({ status: 422, json: { error: "insufficient_balance" } });
  expect(await post({ ...more, amount: "25.00" })).toMatchObject({ status: 201, json: { data: { amount: "25.00" } } });
  expect(await available(seller)).toBe(0);
  const statement = await host.ask("GET", "/api/partner/v1/statement", { token: seller.token });
  expect(statement).toMatchObject({
    status: 200,
    json: {
      data: [
        { type: "adjustment_debited", balance: "available", amount: "-25.00", reason: more.reason },
        { type: "adjustment_credited", balance: "available", amount: "25.00", reason: CREDIT.reason },
      ],
      meta: { total: 2, next_cursor: null, balance: { available: "0.00", total: "0.00" } },
    },
  });
});

test("a statement goes on where its page ended, also while lines are written", async () => {
  const seller = await makeAccount();
  const headers = await staff();
  const post = (amount: string) => host.ask("POST", pathOf(seller.accountId), { headers, body: { ...CREDIT, amount } });
  for (const amount of ["1.00", "2.00", "3.00"]) await post(amount);
  const read = async (query: string) => {
    const { json } = await host.ask("GET", `/api/partner/v1/statement?${query}`, { token: seller.token });
    const { data, meta } = json as { data: { amount: string }[]; meta: { next_cursor: string | null } };
    return { amounts: data.map(({ amount }) => amount), next: meta.next_cursor };
  };
  const first = await read("per_page=2");
  expect(first.amounts).toEqual(["3.00", "2.00"]);
  await post("4.00");
  expect(await read(`per_page=2&cursor=${first.next}`)).toEqual({ amounts: ["1.00"], next: null });
});

test("a request that is repeated under its key, also five times at once, adjusts once; another content is refused", async () => {
  const seller = await makeAccount();
  const headers = await staff();
  const key = newId();
  const post = (body: object) => host.ask("POST", pathOf(seller.accountId), { headers, body, key });
  const answers = await Promise.all(Array.from({ length: 5 }, () => post(CREDIT)));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 201, json: { data: CREDIT } });
  expect(await post({ ...CREDIT, amount: "26.00" })).toMatchObject({ json: { error: "idempotency_key_reused" } });
  expect([await available(seller), await adjustments(seller)]).toEqual([2_500, 1]);
});

test("an account is found by its id in capitals, too", async () => {
  const seller = await makeAccount();
  const path = pathOf(seller.accountId.toUpperCase());
  expect((await host.ask("POST", path, { headers: await staff(), body: CREDIT })).status).toBe(201);
  expect(await available(seller)).toBe(2_500);
});

test("a key of the staff is none of the seller's", async () => {
  const seller = await makeAccount();
  const [headers, key] = [await staff(), newId()];
  await host.ask("POST", pathOf(seller.accountId), { headers, body: CREDIT, key });
  const body = { amount: 10, description: "Pedido 7" };
  const sold = await host.ask("POST", "/api/partner/v1/cash-in", { token: seller.token, body, key });
  expect(sold.status).toBe(200);
});

test.each([
  ["no reason", { reason: "" }, "reason"],
  ["an amount of nothing", { amount: "0" }, "amount"],
  ["more than the limit", { amount: "1000000.01" }, "amount"],
  ["a direction that there is not", { direction: "both" }, "direction"],
])("an adjustment with %s is 422 at its field, and moves nothing", async (_, fault, field) => {
  const seller = await makeAccount();
  const answer = await host.ask("POST", pathOf(seller.accountId), {
    headers: await staff(),
    body: { ...CREDIT, ...fault },
  });
  expect(answer).toMatchObject({ status: 422, json: { errors: { [field]: [expect.any(String)] } } });
  expect([await available(seller), await adjustments(seller)]).toEqual([0, 0]);
});

test("an unknown account and a malformed id get the same 404", async () => {
  const headers = await staff();
  for (const id of [newId(), "x"]) {
    const answer = await host.ask("POST", pathOf(id), { headers, body: CREDIT });
    expect(answer).toMatchObject({ status: 404, json: { message: "Conta não encontrada." } });
  }
});
