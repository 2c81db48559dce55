import { describe, expect, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { forAccount } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { flushRequestLog } from "@/lib/http/request-log";
import { newId } from "@/lib/ids";
import { openHost } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import type { TransactionStatus } from "@/prisma/client/enums";

const host = openHost(routes);
const V1 = "/api/partner/v1";
const V2 = "/api/partner/v2";
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}000Z$/;
const time = expect.stringMatching(TIME);

const get = ({ token }: Made, path: string) => host.ask("GET", path, { token });
const post = ({ token }: Made, path: string, body: object = {}) => host.ask("POST", path, { token, body });

type CashIn = { message: string; pix_code: string; identifier: string; expires_at: string };

async function deposit(seller: Made, overrides: object = {}): Promise<CashIn> {
  const answer = await post(seller, `${V1}/cash-in`, { amount: 100, ...overrides });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.json as CashIn;
}

/** Pays a deposit as the sandbox does, and completes it as the callback's job would. */
async function pay(seller: Made, { identifier }: CashIn, body: object = {}): Promise<string> {
  const { json } = await post(seller, `${V1}/sandbox/pix/${identifier}/pay`, body);
  const endToEndId = String(json.end_to_end_id);
  await completeDeposit({ provider: "simulator", endToEndId });
  return endToEndId;
}

const CLIENT = { name: "Ana", cpf: "52998224725", email: "ana@example.com", phone: "11987654321" };

test("V1, V2, the list, the detail and the balance agree about a payment at each of its steps", async () => {
  const [seller, recipient] = [await makeAccount({ feeBasisPoints: 199 }), await makeAccount()];
  const split = [{ user_id: recipient.clientId, percentage: 10 }];
  const made = await deposit(seller, { description: "Pedido 7", client: CLIENT, split, external_id: "7" });
  const id = made.identifier;
  const read = async () => {
    const [one, two, list, detail] = await Promise.all([
      get(seller, `${V1}/transaction/${id}`),
      get(seller, `${V2}/transactions/${id}`),
      get(seller, `${V2}/transactions?search=7`),
      get(seller, `/api/dashboard/v1/transactions/${id}`),
    ]);
    return [one, two, list, detail].map(({ json }) => json.data) as [object, object, object[], Record<string, unknown>];
  };

  const [pending, pendingV2] = await read();
  const sale = { reference_id: id, currency: "BRL", amount: 100, description: "Pedido 7" };
  expect(pending).toEqual({
    ...sale,
    transaction_date: time,
    status: "pending",
    pix_code: made.pix_code,
    paid_at: null,
  });
  expect(pendingV2).toMatchObject({ transaction: { status: "pending", paid_at: null, end_to_end_id: null } });

  const endToEndId = await pay(seller, made);
  const [one, two, list, detail] = await read();
  expect(one).toEqual({ ...pending, status: "completed", paid_at: time });
  expect(two).toEqual({
    transaction: {
      ...sale,
      status: "completed",
      previous_status: null,
      payment_method: "pix",
      origin: "api",
      net_amount: 98.01,
      refused_reason: null,
      end_to_end_id: endToEndId,
      created_at: time,
      updated_at: time,
      paid_at: time,
      refunded_at: null,
      refunded_amount: 0,
    },
    customer: {
      reference_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Ana",
      email: "ana@example.com",
      document: "52998224725",
      phone: "11987654321",
    },
    checkout: { reference_id: null, name: null, items: [] },
    payment: { pix: { code: made.pix_code }, card: null },
    tracking: { utm: {}, client_ip: null, user_agent: null },
    delivery_address: null,
  });
  expect(list).toMatchObject([{ reference_id: id, status: "completed", amount: 100, net_amount: 98.01 }]);
  expect(detail).toMatchObject({
    breakdown: { gross: 100, fee: 1.99, shares: [{ percentage: 10, amount: 9.8 }], net: 88.21 },
    late: false,
    payer: { name: expect.any(String), document: expect.any(String) },
    external_id: "7",
    allowed_actions: ["simulate_dispute"],
  });
  expect((await get(seller, `${V1}/balance`)).json).toMatchObject({ balance: "88.21" });
  expect((await get(recipient, `${V1}/balance`)).json).toMatchObject({ balance: "9.80" });
});

test("a sale's timeline shows request, events and ledger lines, newest first", async () => {
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const made = await deposit(seller);
  await pay(seller, made);
  await vi.waitFor(async () => {
    await flushRequestLog();
    const { json } = await get(seller, `/api/dashboard/v1/timeline/transaction/${made.identifier}`);
    const timeline = json.data as { kind: string; at: string; title: string; status: string }[];
    expect(timeline.map(({ kind, title, status }) => `${kind} ${title} ${status}`)).toEqual([
      expect.stringMatching(/^(event transaction.updated completed|ledger deposit_completed available)$/),
      expect.stringMatching(/^(event transaction.updated completed|ledger deposit_completed available)$/),
      "event transaction.created pending",
      "request POST /api/partner/v1/cash-in 200",
    ]);
    const times = timeline.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().reverse());
  });
});

test("unmatched money is on the timeline of the sale whose code it paid, with its reason and its id", async () => {
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const [sale, other] = [await deposit(seller), await deposit(seller)];
  const wrong = await pay(seller, sale, { amount: 99.99 });
  const twice = [0, 1].map(() => post(seller, `${V1}/sandbox/pix/${sale.identifier}/pay`));
  const [first, second] = (await Promise.all(twice)).map(({ json }) => String(json.end_to_end_id));
  for (const endToEndId of [first, second])
    await completeDeposit({ provider: "simulator", endToEndId: String(endToEndId) });
  const unmatchedOf = async ({ identifier }: CashIn) => {
    const { json } = await get(seller, `/api/dashboard/v1/timeline/transaction/${identifier}`);
    return (json.data as { kind: string }[]).filter(({ kind }) => kind === "unmatched");
  };
  const note = {
    at: time,
    real_at: null,
    kind: "unmatched",
    actor: null,
    reason: null,
    changes: [],
    cycle_number: null,
    sale: null,
    event: null,
  };
  expect(await unmatchedOf(sale)).toEqual([
    { ...note, id: second, title: "already_paid", status: "100.00", detail: second },
    { ...note, id: wrong, title: "amount_differs", status: "99.99", detail: wrong },
  ]);
  expect(await unmatchedOf(other)).toEqual([]);
});

describe("a sale's status", () => {
  const cases: [TransactionStatus, v1: string, v2: string, legacy: string][] = [
    ["pending", "pending", "pending", "WAITING_FOR_APPROVAL"],
    ["completed", "completed", "completed", "PAID_OUT"],
    ["refused", "failed", "refused", "CANCELLED"],
    ["expired", "failed", "expired", "EXPIRED"],
    ["failed", "failed", "failed", "CANCELLED"],
    ["disputed", "med", "completed", "PAID_OUT"],
    ["refunded", "refunded", "refunded", "REFUNDED"],
    ["chargedback", "refunded", "chargedback", "REFUNDED"],
  ];

  test.each(cases)("%s is %s in V1, %s in V2, %s in the old API", async (status, v1, v2, legacy) => {
    const seller = await makeAccount();
    const made = await deposit(seller);
    const { identifier: id } = made;
    await pay(seller, made); // so that the ledger agrees whatever its status is afterwards
    const where = { accountId_id: { accountId: seller.accountId, id } };
    const call = (named: TransactionStatus) =>
      forAccount(seller.accountId, (tx) => tx.transaction.update({ where, data: { status: named } }));
    await call(status);
    expect((await get(seller, `${V1}/transaction/${id}`)).json).toMatchObject({ data: { status: v1 } });
    const two = (await get(seller, `${V2}/transactions/${id}`)).json.data as { transaction: object };
    const unpaid = ["pending", "expired", "refused", "failed"].includes(status);
    expect(two.transaction).toMatchObject({ status: v2, paid_at: unpaid ? null : time });
    const old = await get(seller, `/s1/getTransaction/api/getTransactionStatus.php?id_transaction=${id}`);
    expect(old.json).toMatchObject({ situacao: v1, status_transaction: legacy, valor_bruto: 100, tipo: "pix" });
    await call("completed");
  });
});

describe("the list", () => {
  const idsOf = ({ json }: { json: Record<string, unknown> }) =>
    (json.data as { reference_id: string }[]).map(({ reference_id }) => reference_id);

  async function shop() {
    const seller = await makeAccount();
    const made: CashIn[] = [];
    for (let at = 0; at < 5; at += 1) {
      made.push(
        await deposit(seller, { amount: at + 1, external_id: `P${at}`, client: { ...CLIENT, email: `a${at}@b.co` } }),
      );
    }
    return { seller, made, ids: made.map(({ identifier }) => identifier).reverse() };
  }

  test("comes newest first, by page or by cursor, each record once", async () => {
    const { seller, ids } = await shop();
    const first = await get(seller, `${V2}/transactions?per_page=2`);
    expect(first.json).toMatchObject({
      meta: {
        total: 5,
        current_page: 1,
        per_page: 2,
        last_page: 3,
        next_cursor: ids[1],
        counts: { all: 5, pending: 5 },
      },
    });
    const byPage = [first, await get(seller, `${V2}/transactions?per_page=2&page=2`)];
    byPage.push(await get(seller, `${V2}/transactions?per_page=2&page=3`));
    expect(byPage.flatMap(idsOf)).toEqual(ids);
    const byCursor: string[] = [];
    for (let cursor: unknown = ""; cursor !== null; ) {
      const page = await get(seller, `${V2}/transactions?per_page=2${cursor ? `&cursor=${cursor}` : ""}`);
      byCursor.push(...idsOf(page));
      cursor = (page.json.meta as { next_cursor: string | null }).next_cursor;
    }
    expect(byCursor).toEqual(ids);
    expect((await get(seller, `${V2}/transactions?page=4&per_page=2`)).json).toMatchObject({
      data: [],
      meta: { total: 5 },
    });
  });

  test("finds by reference id, end-to-end id, e-mail in any case, document with its marks, and external id", async () => {
    const { seller, made, ids } = await shop();
    const [sale] = made;
    if (!sale) throw new Error("five were made");
    const endToEndId = await pay(seller, sale);
    const find = async (search: string) =>
      idsOf(await get(seller, `${V2}/transactions?search=${encodeURIComponent(search)}`));
    for (const search of [
      sale.identifier,
      sale.identifier.toUpperCase(),
      endToEndId,
      "A0@B.co",
      "P0",
      ` ${endToEndId} `,
    ]) {
      expect(await find(search), search).toEqual([sale.identifier]);
    }
    expect(await find("529.982.247-25")).toEqual(ids);
    for (const nothing of ["P", "a0@b", "%", "' or 1=1 --", newId(), "_0"])
      expect(await find(nothing), nothing).toEqual([]);
  });

  test("filters by status, type, method and day of Brasília, and counts the tabs under the other filters", async () => {
    const { seller, made } = await shop();
    const [sale] = made;
    if (!sale) throw new Error("five were made");
    await pay(seller, sale);
    const today = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10);
    const ask = async (query: string) => (await get(seller, `${V2}/transactions?${query}`)).json;
    expect(await ask("status=completed")).toMatchObject({
      data: [{ reference_id: sale.identifier }],
      meta: { total: 1, counts: { all: 5, pending: 4, completed: 1 } },
    });
    expect(await ask(`from=${today}&to=${today}`)).toMatchObject({ meta: { total: 5 } });
    expect(await ask("to=2026-01-01")).toMatchObject({ meta: { total: 0, last_page: 1, counts: { all: 0 } } });
    expect(await ask("from=2100-01-01T00:00:00Z")).toMatchObject({ meta: { total: 0 } });
    expect(await ask("type=card")).toMatchObject({ meta: { total: 0 } });
    expect(await ask("method=pix&type=cash_in&status=pending")).toMatchObject({ meta: { total: 4 } });
  });

  test.each([
    "page=0",
    "page=1.5",
    "page=x",
    "per_page=0",
    "per_page=101",
    "status=paid",
    "cursor=x",
    "from=yesterday",
    "from=0000-01-01",
    "to=9999-12-31",
    "type=pix",
  ])("with %s is 422 at that name", async (query) => {
    const answer = await get(await makeAccount(), `${V2}/transactions?${query}`);
    const [name = ""] = query.split("=");
    expect(answer).toMatchObject({ status: 422, json: { errors: { [name]: expect.any(Array) } } });
  });
});

test("a sale whose expiry is no writable date is answered without it", async () => {
  const seller = await makeAccount();
  const { identifier: id } = await deposit(seller);
  await forAccount(
    seller.accountId,
    (tx) => tx.$executeRaw`update transactions set expires_at = '10000-01-01T02:59:59.999Z' where id = ${id}::uuid`,
  );
  for (const path of [`${V1}/transaction/${id}`, `${V2}/transactions/${id}`, `${V2}/transactions?search=${id}`]) {
    expect((await get(seller, path)).status, path).toBe(200);
  }
  const detail = await get(seller, `/api/dashboard/v1/transactions/${id}`);
  expect(detail).toMatchObject({ status: 200, json: { data: { expires_at: null, breakdown: { gross: 100 } } } });
});
