import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { actAs } from "@/lib/actor";
import { asSystem, runPrepared } from "@/lib/db";
import { completeDuePayments } from "@/lib/deposits/complete";
import { pollRail } from "@/lib/deposits/poll";
import { requestDeposit } from "@/lib/deposits/request";
import type { AppError } from "@/lib/errors";
import type { Idem, Intent } from "@/lib/idempotency";
import { newId, sha256 } from "@/lib/ids";
import { timeouts } from "@/lib/outside/http-client";
import { makeDueCalls } from "@/lib/outside/run";
import { changeProvider, connectProvider } from "@/lib/providers/connect";
import type { DynamicCodes, PixRail } from "@/lib/rails/pix/port";
import { railFor } from "@/lib/rails/pix/rails";
import { reconcile } from "@/lib/reconcile/reconcile";
import { approveRefund } from "@/lib/refunds/approve";
import { refundCalls } from "@/lib/refunds/call";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { problem, serveApiPix } from "@/lib/testing/api-pix";
import { openHost } from "@/lib/testing/http";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { STAFF } from "@/lib/testing/refunds";

openHost(routes.filter(({ path }) => path.startsWith("/simulator/")));
/** A provider is of all accounts, so these tests have a database of their own. */
let drop: () => Promise<void>;
let psp: Awaited<ReturnType<typeof serveApiPix>>;
let made: Made;
beforeAll(async () => {
  drop = await openOwnDatabase();
  psp = await serveApiPix();
  const { callback_secret: _, ...settings } = psp.settings;
  await actAs(STAFF, () => connectProvider({ name: "psp", title: "PSP", ...settings }));
});
beforeEach(async () => {
  made = await makeAccount({ mode: "live" });
});
afterAll(async () => {
  await psp.close();
  await drop();
});
const usual = { ...timeouts };
afterEach(async () => {
  Object.assign(timeouts, usual);
  psp.between = undefined;
  for (const table of ["provider_pauses", "rate_limits"]) await runPrepared("", `delete from ${table}`, []);
});

const keyed = ({ accountId }: Made): Idem => ({
  ...{ accountId, key: newId(), requestHash: sha256("the request") },
  render: (result) => ({ status: 200, body: JSON.stringify(result) }),
});
const rail = () => railFor("live") as PixRail;
const request = (intent: Intent = call()) => requestDeposit(made.account, cashIn({ amount: 100 }), intent);
const sales = () =>
  asSystem((tx) => tx.transaction.findMany({ where: { accountId: made.accountId }, orderBy: { id: "asc" } }));
const limit = (calls_per_minute: number | null) =>
  actAs(STAFF, () => changeProvider({ name: "psp", calls_per_minute }));
/** Everything that others use of the minute is used. */
const useUp = (key: "codes" | "others", count: number) =>
  runPrepared("", "select granted from take_slots($1, $2::int, $2::int)", [`provider-${key}:psp`, count]);
const refusedTooSoon = (headers: Record<string, string>) => async () => ({ status: 429, headers });

test("a PSP that wants to be left alone has the cash-in refused with its Retry-After; a repeat of the key is a new request", async () => {
  const intent = { ...call(), idem: keyed(made) };
  psp.between = refusedTooSoon({ "retry-after": "90", "content-type": "text/html" });
  const refusal = (await request(intent).catch((error) => error)) as AppError;
  expect(refusal).toMatchObject({ code: "rail_unavailable", options: { retryAfterMs: 90_000 } });
  expect(await sales()).toMatchObject([{ status: "failed", pixCode: null }]);

  const asked = psp.asked.length;
  const again = (await request(intent).catch((error) => error)) as AppError;
  expect(again.code).toBe("rail_unavailable");
  expect(again.options.retryAfterMs).toBeGreaterThan(85_000);
  expect(psp.asked.length, "it is left alone").toBe(asked);
  expect(await sales(), "and nothing is written").toHaveLength(1);

  psp.between = undefined;
  await runPrepared("", "delete from provider_pauses", []);
  const { identifier } = await request(intent);
  expect(await sales()).toMatchObject([{ status: "failed" }, { id: identifier, status: "pending" }]);
  await expect(request(intent), "which then has its answer").rejects.toThrow("The key has its answer already");
});

test("a minute that is used up: cash-in is refused and writes nothing, a repeat has its answer, and polls leave its half alone", async () => {
  await limit(40);
  const intent = { ...call(), idem: keyed(made) };
  const { identifier } = await request(intent);
  const before = (await sales()).length;
  for (let time = 0; time < 5; time += 1) await pollRail(rail(), 60_000, 0).catch(() => {});
  await useUp("others", 20);
  await request();
  await useUp("codes", 20);
  expect(await request().catch((error) => error)).toMatchObject({
    code: "rail_unavailable",
    options: { retryAfterMs: expect.any(Number) },
  });
  await expect(request(intent)).rejects.toThrow("The key has its answer already");
  expect(await sales()).toHaveLength(before + 1);
  expect((await sales()).map(({ id }) => id)).toContain(identifier);
});

test("an account that holds its share of a minute's codes is refused with the time to wait, and others get theirs", async () => {
  await limit(20);
  await useUp("others", 10);
  for (let time = 0; time < 8; time += 1) await request();
  expect(await request().catch((error) => error)).toMatchObject({
    code: "rail_unavailable",
    options: { retryAfterMs: expect.any(Number) },
  });
  expect(await sales()).toHaveLength(8);
  const { asked } = psp;
  const before = asked.length;
  const { accountId } = made;
  const codeOfCycle = { accountId, txid: newId().replaceAll("-", ""), amount: 100, validMs: 60_000 };
  const codes = rail() as PixRail & DynamicCodes;
  const answer = await codes.requestCode({ ...codeOfCycle, merchantName: "Loja", merchantCity: "Recife" });
  expect(answer.status, "and its cycles' codes are of the same share").toBe("lost");
  expect(asked.length).toBe(before);
  const other = await makeAccount({ mode: "live" });
  await requestDeposit(other.account, cashIn({ amount: 100 }), call());
});

test("a repeat of a key takes nothing of the minute, with its answer or without one, for a cash-in that somebody else needs it for", async () => {
  await limit(10);
  const intent = { ...call(), idem: keyed(made) };
  psp.between = async () => undefined; // it has no answer yet
  await request(intent).catch(() => {});
  const taken = async () => {
    const [row] = await runPrepared<{ n: number }>(
      "",
      "select coalesce(sum(earlier + taken), 0)::int as n from rate_limits where key like 'provider-codes:psp'",
      [],
    );
    return row?.n;
  };
  const before = await taken();
  expect(before).toBe(1);
  for (let time = 0; time < 8; time += 1) await request(intent).catch(() => {});
  expect(await taken()).toBe(before);
});

test("a refund that finds no room is sent later under the same id, once, and never fails", async () => {
  await limit(null);
  const { identifier } = await request();
  const pix = psp.pay({ txid: identifier.replaceAll("-", "") });
  await pollRail(rail(), 3_600_000, -1_000);
  await completeDuePayments();
  const body = RefundBody.parse({ reason: "other", amount: 40 });
  const { code } = (await requestRefund(made.account, { ...body, id: identifier }, call())).data;
  await actAs(STAFF, () => approveRefund({ accountId: made.accountId, code }, call()));
  const due = () => asSystem((tx) => tx.call.updateMany({ where: { doneAt: null }, data: { dueAt: new Date(0) } }));
  const statusOf = async () =>
    (await asSystem((tx) => tx.refund.findFirstOrThrow({ where: { accountId: made.accountId } }))).status;

  psp.between = refusedTooSoon({});
  await makeDueCalls(refundCalls);
  const asked = psp.asked.length;
  psp.between = undefined;
  for (const _ of [1, 2]) {
    await due();
    await makeDueCalls(refundCalls);
  }
  expect(psp.asked.length, "while it is left alone nothing is asked").toBe(asked);
  expect(["approved", "processing"]).toContain(await statusOf());

  await runPrepared("", "delete from provider_pauses", []);
  await due();
  await makeDueCalls(refundCalls);
  expect(pix.devolucoes).toHaveLength(1);
  expect(await reconcile()).toEqual([]);
});

test("a question that takes several requests ends within the time of one", async () => {
  Object.assign(timeouts, { callMs: 1_500, findMs: 1_500 });
  const unknown = problem(404, "CobNaoEncontrado");
  const lasting = async (run: () => Promise<unknown> | undefined) => {
    let requests = 0;
    psp.between = async () => {
      requests += 1;
      await sleep(requests === 1 ? 800 : 4_000);
      return unknown;
    };
    const before = performance.now();
    await expect(run()).rejects.toThrow("no answer");
    expect(requests).toBe(2);
    return performance.now() - before;
  };
  const codes = rail() as PixRail & DynamicCodes;
  expect(await lasting(() => codes.findCode({ txid: newId().replaceAll("-", ""), amount: 100 }))).toBeLessThan(2_200);
  expect(await lasting(() => codes.callBackAt?.("https://example.com/x"))).toBeLessThan(2_200);
});
