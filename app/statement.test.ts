import pg from "pg";
import { expect, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { flushStored } from "@/lib/accounts/storage";
import { forAccount, transactionOverAll } from "@/lib/db";
import { collectEarnings } from "@/lib/earnings/collect";
import { flushRequestLog } from "@/lib/http/request-log";
import type { StatementLine, StatementMonth } from "@/lib/statement/schema";
import { openHost } from "@/lib/testing/http";
import { fund, type Made, makeAccount } from "@/lib/testing/make";
import { aCardSale, aPixSale, aSeller, ask, completeRefund, settleNow } from "@/lib/testing/refunds";
import { aStaffPerson } from "@/lib/testing/staff";
import { thisMonth } from "@/lib/time/calendar";

const host = openHost(routes);
const STATEMENT = "/api/partner/v1/statement";
const get = ({ token }: Made, query = "") => host.ask("GET", `${STATEMENT}${query}`, { token });
const linesOf = async (made: Made, query = "?per_page=100") =>
  (await get(made, query)).json.data as unknown as StatementLine[];
const told = (lines: StatementLine[]) =>
  lines.map(({ description, balance, amount }) => `${description} | ${balance} ${amount}`).reverse();

/** Its own events alone: a consumer of all would take those of other tests from the outbox. */
const collect = ({ accountId }: Made) =>
  transactionOverAll(async (query) => {
    const where = { accountId, subject: "transaction" };
    const events = await forAccount(accountId, (tx) => tx.event.findMany({ where, orderBy: { id: "asc" } }));
    await collectEarnings(query, events, () => {});
  });

test("each side of a shared sale and of its refund reads its own words, and is led to what it may see", async () => {
  const [seller, recipient] = [await aSeller(), await makeAccount()];
  const [ours, theirs] = [seller.account.name, recipient.account.name];
  const split = [{ user_id: recipient.clientId, percentage: 30 }];
  const sale = await aPixSale(seller, split);
  await fund(seller.accountId, 50_00);
  const refund = await ask(seller, sale, { amount: "50.00" });
  const { code } = refund;
  await completeRefund(seller, refund);
  await collect(seller);

  const lines = await linesOf(seller);
  expect(told(lines)).toEqual([
    "Venda recebida | available 98.00",
    `Parte de ${theirs} na venda | available -29.40`,
    "Saldo de demonstração | available 50.00",
    "Estorno pedido: sai do disponível | available -51.50",
    "Estorno pedido: valor bloqueado | blocked 51.50",
    "Estorno pago | blocked -50.00",
    "Taxa do estorno | blocked -1.50",
    `Parte de ${theirs} devolvida | available 14.70`,
  ]);
  const records = Object.fromEntries(lines.map(({ description, record }) => [description, record]));
  expect(records["Venda recebida"]).toEqual({ subject: "transaction", id: sale, path: `/transactions/${sale}` });
  expect(records[`Parte de ${theirs} na venda`]).toEqual(records["Venda recebida"]);
  expect(records["Taxa do estorno"]).toEqual({ subject: "refund", id: code, path: `/refunds/${code}` });
  expect(records[`Parte de ${theirs} devolvida`]).toEqual(records["Taxa do estorno"]);

  const [back, share] = await linesOf(recipient);
  expect([back, share]).toMatchObject([
    { description: "Sua parte de uma venda devolvida", amount: "-14.70", balance_after: "14.70" },
    {
      ...{ description: `Parte na venda de ${ours}`, amount: "29.40", balance_after: "29.40", party: ours },
      record: { subject: "earning", path: `/splits/earnings/sales?month=${thisMonth()}` },
    },
  ]);
  expect(JSON.stringify([back, share])).not.toContain(sale);
});

test("a card sale is pending until it is settled, on both sides, and the closing of the month adds up to the cent", async () => {
  const [seller, recipient] = [await aSeller(), await makeAccount()];
  const sale = await aCardSale(seller, [{ user_id: recipient.clientId, percentage: 50 }]);
  await settleNow(seller);
  const party = recipient.account.name;
  expect(told(await linesOf(seller))).toEqual([
    "Venda no cartão, a liberar | pending 98.00",
    `Parte de ${party} na venda no cartão | pending -49.00`,
    "Venda no cartão liberada: sai do pendente | pending -49.00",
    "Venda no cartão liberada: fica disponível | available 49.00",
  ]);
  await ask(seller, sale, { amount: "10.00" });
  const { data } = (await get(seller, "/months")).json as unknown as { data: StatementMonth[] };
  const zero = { available: "0.00", pending: "0.00", blocked: "0.00", held: "0.00", total: "0.00" };
  expect(data).toMatchObject([
    {
      ...{ month: thisMonth(), opening: zero },
      sums: [
        { about: "sales", available: "49.00", pending: "49.00", total: "98.00" },
        { about: "splits", pending: "-49.00", total: "-49.00" },
        { about: "refunds", available: "-11.50", blocked: "11.50", total: "0.00" },
      ],
      closing: { ...zero, available: "37.50", blocked: "11.50", total: "49.00" },
    },
  ]);
  const fees = await get(seller, "?about=fees");
  expect(fees.json).toMatchObject({ data: [], meta: { total: 0, balance: { total: "49.00" } } });
});

test("a file has the lines of the list, in the words of its language", async () => {
  const seller = await aSeller();
  const sale = await aPixSale(seller);
  const { code } = await ask(seller, sale, { amount: "10.00" });
  const { text } = await get(seller, "/export?balance=blocked&language=en");
  const [line] = await linesOf(seller, "?balance=blocked");
  expect(text.trim().split("\r\n")).toEqual([
    "id,created_at,type,description,about,reference,reason,balance,amount,balance_after",
    expect.stringMatching(
      new RegExp(
        `^${line?.id},.*,refund_requested,Refund requested: amount blocked,refunds,${code},,blocked,11.50,11.50$`,
      ),
    ),
  ]);
});

test("a page asks as many statements for many lines as for few", async () => {
  const seller = await aSeller();
  const recipient = await makeAccount();
  const sell = () => aPixSale(seller, [{ user_id: recipient.clientId, percentage: 10 }]);
  await sell();
  const count = async () => {
    await Promise.all([flushRequestLog(), flushStored()]);
    const spy = vi.spyOn(pg.Client.prototype, "query");
    await get(seller);
    const texts = spy.mock.calls.map(([query]) => JSON.stringify(query));
    spy.mockRestore();
    return texts.filter((text) => !text.includes("pg_notify")).length; // a sale may wake workers beside
  };
  await count();
  const few = await count();
  await Promise.all([sell(), sell(), sell(), sell()]);
  expect(await linesOf(seller)).toHaveLength(10);
  expect(await count()).toBeLessThanOrEqual(few);
});

test("a page, a file and months need the right to read the balance, and a cursor is one of the account's own lines", async () => {
  const [seller, other] = [await makeAccount({ available: 100 }), await makeAccount({ available: 100 })];
  const [mine] = await linesOf(seller);
  expect(await get(other, `?cursor=${mine?.id}`)).toMatchObject({
    status: 200,
    json: { data: [], meta: { next_cursor: null } },
  });
  for (const query of [
    "?cursor=abc",
    "?newer=-1",
    "?from=ontem",
    "?about=tudo",
    "?balance=fees",
    "/months?month=2026-13",
  ]) {
    expect([query, (await get(seller, query)).status]).toEqual([query, 422]);
  }
  for (const path of ["", "/export", "/months"]) {
    expect((await host.ask("GET", `${STATEMENT}${path}`, {})).status).toBe(401);
  }
});

test("the staff reads an account's statement, and its history says so", async () => {
  const seller = await makeAccount({ available: 100 });
  const headers = { cookie: (await aStaffPerson()).cookie, "sec-fetch-site": "same-origin" };
  const path = `/api/operator/v1/accounts/${seller.accountId}/statement`;
  expect((await host.ask("GET", path, { headers })).json).toMatchObject({
    data: [{ type: "demo_funded", amount: "1.00" }],
    meta: { account: { id: seller.accountId }, balance: { available: "1.00", total: "1.00" } },
  });
  const missing = await host.ask("GET", `/api/operator/v1/accounts/${seller.clientId}/statement`, { headers });
  expect(missing.status).toBe(404);
});
