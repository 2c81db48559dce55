import { describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { completeDeposit } from "@/lib/deposits/complete";
import { newId } from "@/lib/ids";
import { openHost } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import { anOrder, aToken } from "@/lib/testing/shop";
import { aStaffPerson } from "@/lib/testing/staff";

const host = openHost(routes);
const V1 = "/api/partner/v1";

const get = ({ token }: Made, path: string) => host.ask("GET", path, { token });
const post = ({ token }: Made, path: string, body: object = {}, headers: Record<string, string> = {}) =>
  host.ask("POST", path, { token, body, headers });

const aSeller = () => makeAccount({ feeBasisPoints: 0 });

async function paidSale(seller: Made): Promise<string> {
  const { json } = await post(seller, `${V1}/cash-in`, { amount: 100, description: "Pedido 7" });
  const id = String(json.identifier);
  const paid = await post(seller, `${V1}/sandbox/pix/${id}/pay`);
  await completeDeposit({ provider: "simulator", endToEndId: String(paid.json.end_to_end_id) });
  return id;
}

const REASON = { reason: "buyer_withdrawal" };
const ask = (seller: Made, sale: string, body: object = {}, headers?: Record<string, string>) =>
  post(seller, `${V1}/transaction/${sale}/refund`, { ...REASON, ...body }, headers);

/** A refund of a seller's sale. Returns its code. */
async function asked(seller: Made): Promise<string> {
  const { status, json, text } = await ask(seller, await paidSale(seller), { amount: "40.00" });
  if (status !== 201) throw new Error(text);
  return (json.data as { code: string }).code;
}

/** A new person of the operator's staff, as a function that calls. */
async function staffMember() {
  const headers = { cookie: (await aStaffPerson()).cookie, "sec-fetch-site": "same-origin" };
  return (method: string, path: string, body?: object, key?: string) =>
    host.ask(method, path, { headers, ...(body && { body }), ...(key && { key }) });
}

/** A call by a new person of the staff. */
const byStaff = async (...asked: Parameters<Awaited<ReturnType<typeof staffMember>>>) =>
  (await staffMember())(...asked);

test("a seller asks by API, the staff refuses, and the look-up says so with the history", async () => {
  const seller = await aSeller();
  const sale = await paidSale(seller);
  const answer = await ask(seller, sale, { reason_details: "Desistiu em 7 dias" });
  expect(answer).toMatchObject({ status: 201, json: { data: { status: "pending", total: "100.00" } } });
  const { code } = answer.json.data as { code: string };
  expect((await get(seller, `${V1}/balance`)).json).toMatchObject({ balance: "0.00", blocked: "100.00" });
  expect((await get(seller, `${V1}/refunds?status=pending`)).json).toMatchObject({ data: [{ code }] });

  const operator = `/api/operator/v1/accounts/${seller.accountId}/refunds/${code}`;
  const queue = await byStaff("GET", "/api/operator/v1/refunds?mode=sandbox&per_page=100");
  const waiting = (queue.json.data as { refund: { code: string }; account: { id: string } }[]).map(
    ({ refund, account }) => [refund.code, account.id],
  );
  expect(waiting).toContainEqual([code, seller.accountId]);
  const decision = { category: "outside_policy", reason: "O prazo do arrependimento terminou." };
  expect(await byStaff("POST", `${operator}/reject`, decision)).toMatchObject({ status: 200 });
  expect(await byStaff("POST", `${operator}/reject`, decision)).toMatchObject({
    ...{ status: 409, json: { error: "invalid_transition" } },
  });
  expect(await byStaff("GET", operator)).toMatchObject({ json: { data: { refund: { status: "rejected" } } } });

  const { json } = await get(seller, `${V1}/refunds/${code}`);
  expect(json.data).toMatchObject({
    ...{ status: "rejected", status_label: "Recusado", rejection_category: "outside_policy" },
    rejection_reason: decision.reason,
    events: [
      { event: "created", actor_type: "partner", payload: { reason: "buyer_withdrawal" } },
      { event: "rejected", actor_type: "admin", payload: decision },
    ],
  });
  expect((await get(seller, `${V1}/balance`)).json).toMatchObject({ balance: "100.00", blocked: "0.00" });
  expect(await post(seller, `${V1}/refunds/${code}/cancel`)).toMatchObject({ status: 409 });
});

test("a request that is repeated under its key asks once, and is answered the same", async () => {
  const seller = await aSeller();
  const sale = await paidSale(seller);
  const key = { "idempotency-key": newId() };
  const [first, again] = [await ask(seller, sale, {}, key), await ask(seller, sale, {}, key)];
  expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
  expect((await ask(seller, sale)).json).toMatchObject({ error: "refund_already_open" });
  expect((await get(seller, `${V1}/refunds`)).json).toMatchObject({ meta: { total: 1 } });
});

test("a decision of the staff that is repeated under its key, also at once, is made once and answered the same", async () => {
  const seller = await aSeller();
  for (const [verb, body] of [
    ["approve", undefined],
    ["reject", { category: "other", reason: "Sem comprovante." }],
  ] as const) {
    const code = await asked(seller);
    const path = `/api/operator/v1/accounts/${seller.accountId}/refunds/${code}/${verb}`;
    const [key, decide] = [newId(), await staffMember()];
    const answers = await Promise.all([1, 2, 3].map(() => decide("POST", path, body, key)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, json: { data: { code } } });
    expect((await decide("POST", path, body, newId())).status).toBe(409);
  }
});

describe("a refund that the staff asks for, for a seller,", () => {
  const salesOf = (account: string) => `/api/operator/v1/accounts/${account}/transactions`;
  const saleOf = (seller: Made, sale: string) => `${salesOf(seller.accountId)}/${sale}`;
  const ASKED = { reason: "fraud", reason_details: "O titular do cartão falou com a operação." };
  const askFor = (seller: Made, sale: string, body: object = {}, key?: string) =>
    byStaff("POST", `${saleOf(seller, sale)}/refund`, { ...ASKED, ...body }, key);

  test("holds what the seller's own would, waits in the queue, and says who asked and why in history and timeline", async () => {
    const seller = await makeAccount({ feeBasisPoints: 0, features: [] });
    const sale = await paidSale(seller);
    expect(await byStaff("GET", saleOf(seller, sale))).toMatchObject({
      json: {
        data: {
          account: { id: seller.accountId, name: seller.account.name, mode: "sandbox" },
          sale: { transaction: { reference_id: sale }, refundable: { left: 100, hindrance: null } },
          refunds: [],
        },
      },
    });
    const answer = await askFor(seller, sale, { amount: "40.00" });
    expect(answer).toMatchObject({
      status: 201,
      json: {
        data: {
          ...{ status: "pending", amount: "40.00", ...ASKED },
          events: [{ event: "created", actor_type: "admin", payload: ASKED }],
        },
      },
    });
    const { code } = answer.json.data as { code: string };
    expect((await get(seller, `${V1}/balance`)).json).toMatchObject({ balance: "60.00", blocked: "40.00" });
    const queue = await byStaff("GET", "/api/operator/v1/refunds?mode=sandbox&per_page=100");
    expect((queue.json.data as { refund: { code: string } }[]).map(({ refund }) => refund.code)).toContain(code);
    const timeline = await get(seller, `/api/dashboard/v1/timeline/transaction/${sale}`);
    expect(timeline.json.data).toContainEqual(
      expect.objectContaining({
        ...{ title: "refund.created", detail: "40.00", reason: ASKED.reason_details },
        actor: { kind: "staff", name: null },
      }),
    );
    expect(await byStaff("GET", saleOf(seller, sale))).toMatchObject({
      json: { data: { sale: { refundable: { hindrance: "open" } }, refunds: [{ code, status: "pending" }] } },
    });
  });

  test("is the operator's to end: the seller's cancellation is refused, and a refusal gives the money back", async () => {
    const seller = await aSeller();
    const { code } = (await askFor(seller, await paidSale(seller))).json.data as { code: string };
    expect(await post(seller, `${V1}/refunds/${code}/cancel`)).toMatchObject({
      ...{ status: 409, json: { error: "invalid_transition" } },
    });
    expect((await get(seller, `${V1}/balance`)).json).toMatchObject({ balance: "0.00", blocked: "100.00" });
    const decision = { category: "other", reason: "O titular reconheceu a compra." };
    await byStaff("POST", `/api/operator/v1/accounts/${seller.accountId}/refunds/${code}/reject`, decision);
    expect((await get(seller, `${V1}/balance`)).json).toMatchObject({ balance: "100.00", blocked: "0.00" });
  });

  test("is asked for once under a key, and is refused as the seller's own would be, without leaving anything", async () => {
    const seller = await aSeller();
    const [sale, key] = [await paidSale(seller), newId()];
    await ask(seller, sale, { amount: "1.00" });
    expect(await askFor(seller, sale)).toMatchObject({ status: 409, json: { error: "refund_already_open" } });
    const other = await paidSale(seller);
    expect(await askFor(seller, other, { amount: "100.01" })).toMatchObject({ status: 422 });
    expect(await askFor(seller, other, { reason_details: " " })).toMatchObject({
      ...{ status: 422, json: { errors: { reason_details: [expect.any(String)] } } },
    });
    expect(await askFor(await aSeller(), other)).toMatchObject({ status: 404 });
    expect((await get(seller, `${V1}/balance`)).json).toMatchObject({ balance: "199.00", blocked: "1.00" });

    const [first, again] = [await askFor(seller, other, {}, key), await askFor(seller, other, {}, key)];
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect((await get(seller, `${V1}/refunds`)).json).toMatchObject({ meta: { total: 2 } });
  });

  test("is found among the seller's sales by what its payer knows", async () => {
    const seller = await aSeller();
    const [sale, other] = [await paidSale(seller), await paidSale(seller)];
    const list = (search: string) => byStaff("GET", `${salesOf(seller.accountId)}?${new URLSearchParams({ search })}`);
    const found = async (search: string) =>
      ((await list(search)).json.data as { reference_id: string }[]).map(({ reference_id }) => reference_id);
    const { json } = await byStaff("GET", saleOf(seller, sale));
    const endToEnd = (json.data as { sale: { transaction: { end_to_end_id: string } } }).sale.transaction.end_to_end_id;
    expect(await found(endToEnd)).toEqual([sale]);
    expect(await found("")).toEqual([other, sale]);
    expect((await list("")).json).toMatchObject({ meta: { account: { id: seller.accountId, mode: "sandbox" } } });
    for (const id of [newId(), "x"]) expect(await byStaff("GET", salesOf(id))).toMatchObject({ status: 404 });
  });
});

describe("a code", () => {
  test("that is malformed, unknown or another account's is answered with the same 404, byte for byte", async () => {
    const [seller, other] = [await aSeller(), await aSeller()];
    const foreign = await asked(other);
    const unknown = `rfd_${newId().replaceAll("-", "")}`;
    const codes = [
      foreign,
      unknown,
      foreign.toUpperCase(),
      "rfd_",
      "x",
      `${foreign}0`,
      `rfd_${"z".repeat(32)}`,
      newId(),
    ];
    for (const path of ["", "/cancel"]) {
      const answers = await Promise.all(
        codes.map((code) =>
          path ? post(seller, `${V1}/refunds/${code}${path}`) : get(seller, `${V1}/refunds/${code}`),
        ),
      );
      const shown = answers.map(({ status, text, headers }) => {
        const same = [...headers].filter(([name]) => !["date", "x-request-id", "ratelimit"].includes(name));
        return JSON.stringify([status, text, same]);
      });
      expect(new Set(shown).size, [...new Set(shown)].join("\n")).toBe(1);
      expect(answers[0]).toMatchObject({ status: 404, text: '{"message":"Estorno não encontrado."}' });
    }
    expect((await get(other, `${V1}/refunds/${foreign}`)).json).toMatchObject({ data: { status: "pending" } });
    const elsewhere = `/api/operator/v1/accounts/${seller.accountId}/refunds/${foreign}`;
    expect(await byStaff("GET", elsewhere)).toMatchObject({ status: 404 });
  });

  test("is looked up sixty times a minute by an account, and others are not held up", async () => {
    const [seller, other] = [await aSeller(), await aSeller()];
    const code = await asked(seller);
    const statuses: number[] = [];
    for (let nth = 0; nth < 62; nth += 1) statuses.push((await get(seller, `${V1}/refunds/${code}`)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.slice(60)).toEqual([429, 429]);
    expect((await get(other, `${V1}/refunds/${await asked(other)}`)).status).toBe(200);
  });
});

test("of fifty requests at once for one sale one is taken, and not a cent more is held", async () => {
  const seller = await aSeller();
  const sale = await paidSale(seller);
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(seller, sale, { amount: 30 })));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => ![201, 409, 503].includes(status))).toEqual([]);
  expect((await get(seller, `${V1}/balance`)).json).toMatchObject({ balance: "70.00", blocked: "30.00" });
});

test("of fifty requests at once for eight sales, whose money pays for fewer, no more are taken than it pays for", async () => {
  const seller = await makeAccount({ feeBasisPoints: 5_000 });
  const sales = await Promise.all(Array.from({ length: 8 }, () => paidSale(seller)));
  const answers = await Promise.all(Array.from({ length: 50 }, (_, nth) => ask(seller, sales[nth % 8] ?? "")));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => ![201, 409, 422, 503].includes(status))).toEqual([]);
  const taken = statuses.filter((status) => status === 201).length;
  expect([taken > 0, taken <= 4]).toEqual([true, true]);
  expect((await get(seller, `${V1}/balance`)).json).toMatchObject({
    ...{ balance: `${400 - taken * 100}.00`, blocked: `${taken * 100}.00` },
  });
});

test("an account without the feature is refused, and what is malformed is named", async () => {
  const without = await makeAccount({ features: [] });
  const sale = await paidSale(without);
  expect(await ask(without, sale)).toMatchObject({ status: 403, json: { error: "feature_disabled" } });
  expect(await get(without, `${V1}/refunds`)).toMatchObject({ status: 403, json: { error: "feature_disabled" } });
  const seller = await aSeller();
  const wrong = await post(seller, `${V1}/transaction/${await paidSale(seller)}/refund`, {
    reason: "bored",
    amount: 0,
  });
  expect(wrong).toMatchObject({
    status: 422,
    json: { errors: { reason: [expect.any(String)], amount: [expect.any(String)] } },
  });
});

describe("nobody gains by a refund", () => {
  test("what is no text, no amount or a card's number is refused, and holds nothing", async () => {
    const seller = await aSeller();
    const sale = await paidSale(seller);
    const bodies: object[] = [
      ...["\u0000", "a\u0000b", "\ud800", "x".repeat(2_001), 7, {}].map((reason_details) => ({ reason_details })),
      ...[-1, 0, "0.001", "1e99", "NaN", Number.MAX_SAFE_INTEGER, [], "100.01"].map((amount) => ({ amount })),
      ...["soon", 7].map((cancel_subscription) => ({ cancel_subscription })),
      { reason_details: "cartão 4111 1111 1111 1111" },
    ];
    for (const body of bodies) {
      const { status, text } = await ask(seller, sale, body);
      expect([400, 422], `${JSON.stringify(body)} ${text}`).toContain(status);
    }
    expect((await get(seller, `${V1}/balance`)).json).toMatchObject({ balance: "100.00", blocked: "0.00" });
    const emoji = await ask(seller, sale, { reason_details: "🙃".repeat(1_000) });
    expect(emoji, emoji.text).toMatchObject({ status: 201 });
  });

  test("a recipient of the sale, another seller and whoever has no token see nothing of it and change nothing", async () => {
    const [seller, recipient] = [await aSeller(), await aSeller()];
    const split = [{ user_id: recipient.clientId, percentage: 90 }];
    const { json } = await post(seller, `${V1}/cash-in`, { amount: 100, description: "Pedido 7", split });
    const sale = String(json.identifier);
    const paid = await post(seller, `${V1}/sandbox/pix/${sale}/pay`);
    await completeDeposit({ provider: "simulator", endToEndId: String(paid.json.end_to_end_id) });
    expect(await ask(recipient, sale)).toMatchObject({ status: 404 });
    const other = await aSeller();
    expect(await ask(other, sale)).toMatchObject({ text: (await ask(other, newId())).text });
    const { code } = (await ask(seller, sale, { amount: "10.00" })).json.data as { code: string };
    for (const path of ["", "/cancel"])
      for (const of of [recipient, other]) {
        const asked = path === "" ? get(of, `${V1}/refunds/${code}`) : post(of, `${V1}/refunds/${code}${path}`);
        expect(await asked).toMatchObject({ status: 404, text: '{"message":"Estorno não encontrado."}' });
      }
    for (const end of ["complete", "fail"])
      expect(await post(recipient, `${V1}/sandbox/refunds/${code}/${end}`)).toMatchObject({ status: 404 });
    expect((await get(recipient, `${V1}/refunds`)).json).toMatchObject({ data: [] });
    for (const verb of ["approve", "reject"]) {
      const path = `/api/operator/v1/accounts/${seller.accountId}/refunds/${code}/${verb}`;
      const body = { category: "other", reason: "x" };
      expect((await post(seller, path, body)).status).toBe(401);
      expect((await host.ask("POST", path, { body })).status).toBe(401);
    }
    expect((await host.ask("GET", `${V1}/refunds/${code}`)).status).toBe(401);
    expect((await get(seller, `${V1}/refunds/${code}`)).json).toMatchObject({ data: { status: "pending" } });
    expect((await get(recipient, `${V1}/balance`)).json).toMatchObject({ balance: "90.00" });
  });

  test("a key that asked for one refund asks for no other, and neither cancels one", async () => {
    const seller = await aSeller();
    const [sale, second] = [await paidSale(seller), await paidSale(seller)];
    const key = { "idempotency-key": newId() };
    const { code } = (await ask(seller, sale, {}, key)).json.data as { code: string };
    expect(await ask(seller, second, {}, key)).toMatchObject({ json: { error: "idempotency_key_reused" } });
    expect(await ask(seller, sale, { amount: 1 }, key)).toMatchObject({ json: { error: "idempotency_key_reused" } });
    const cancelled = await post(seller, `${V1}/refunds/${code}/cancel`, {}, key);
    expect(cancelled).toMatchObject({ json: { error: "idempotency_key_reused" } });
    expect((await get(seller, `${V1}/balance`)).json).toMatchObject({ balance: "100.00", blocked: "100.00" });
  });

  test("in production nobody ends a refund as in a sandbox", async () => {
    const live = await makeAccount({ mode: "live" });
    const code = `rfd_${newId().replaceAll("-", "")}`;
    for (const end of ["complete", "fail"])
      expect(await post(live, `${V1}/sandbox/refunds/${code}/${end}`)).toMatchObject({ status: 404 });
  });

  test("of a decision by the staff, a cancellation and a sandbox's own end at once one wins, and no cent is lost", async () => {
    const seller = await aSeller();
    const code = await asked(seller);
    const operator = `/api/operator/v1/accounts/${seller.accountId}/refunds/${code}`;
    const ends = await Promise.all([
      byStaff("POST", `${operator}/reject`, { category: "other", reason: "Não" }),
      byStaff("POST", `${operator}/approve`, {}),
      ...Array.from({ length: 3 }, () => post(seller, `${V1}/refunds/${code}/cancel`)),
      ...Array.from({ length: 3 }, () => post(seller, `${V1}/sandbox/refunds/${code}/complete`)),
    ]);
    expect(ends.map(({ status }) => status).filter((status) => ![200, 409, 503].includes(status))).toEqual([]);
    const { status } = (await get(seller, `${V1}/refunds/${code}`)).json.data as { status: string };
    const isGiven = ["rejected", "cancelled"].includes(status);
    expect((await get(seller, `${V1}/balance`)).json).toMatchObject(
      isGiven ? { balance: "100.00", blocked: "0.00" } : { balance: "60.00" },
    );
  });
});

test("who of the staff asked for a refund does not approve it, also when another does so at the same moment", async () => {
  const seller = await aSeller();
  const [one, other] = [await staffMember(), await staffMember()];
  const account = `/api/operator/v1/accounts/${seller.accountId}`;
  const made = await one("POST", `${account}/transactions/${await paidSale(seller)}/refund`, {
    ...REASON,
    reason_details: "O comprador ligou.",
  });
  const { code } = made.json.data as { code: string };
  const approve = `${account}/refunds/${code}/approve`;
  expect(await one("POST", approve)).toMatchObject({ status: 403, json: { error: "own_request" } });
  expect((await get(seller, `${V1}/refunds/${code}`)).json).toMatchObject({ data: { status: "pending" } });
  const [own, theirs] = await Promise.all([one("POST", approve), other("POST", approve)]);
  expect([own, theirs]).toMatchObject([{ status: 403, json: { error: "own_request" } }, { status: 200 }]);
  const again = await ask(seller, await paidSale(seller));
  const { code: sellers } = again.json.data as { code: string };
  expect(await one("POST", `${account}/refunds/${sellers}/approve`), "what a seller asked for").toMatchObject({
    status: 200,
  });
});

test("a sandbox lets its provider pay a refund back, once for a key, and a card's cannot fail", async () => {
  const seller = await aSeller();
  const sale = await paidSale(seller);
  const { json } = await ask(seller, sale);
  const { code } = json.data as { code: string };
  const key = { "idempotency-key": newId() };
  const complete = () => post(seller, `${V1}/sandbox/refunds/${code}/complete`, {}, key);
  const [first, again] = [await complete(), await complete()];
  expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  expect((await get(seller, `${V1}/refunds/${code}`)).json).toMatchObject({ data: { status: "processing" } });
  expect(await post(seller, `${V1}/sandbox/refunds/${code}/fail`)).toMatchObject({ status: 409 });
  const order = anOrder(await aToken(seller), { amount: 10 });
  const charged = await post(seller, `${V1}/credit-card`, order);
  const refund = await ask(seller, String(charged.json.identifier), { amount: 1 });
  const card = (refund.json.data as { code: string }).code;
  expect(await post(seller, `${V1}/sandbox/refunds/${card}/fail`)).toMatchObject({ status: 409 });
  expect(await post(seller, `${V1}/sandbox/refunds/${card}/complete`)).toMatchObject({ status: 200 });
  expect((await get(seller, `${V1}/refunds/${card}`)).json).toMatchObject({ data: { status: "completed" } });
});
