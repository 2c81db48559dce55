import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runPrepared } from "@/lib/db";
import { newId } from "@/lib/ids";
import { timeouts } from "@/lib/outside/http-client";
import type { Payout, PayoutOrder } from "@/lib/rails/pix/payouts";
import { railFor } from "@/lib/rails/pix/rails";
import { type SandboxKey, sandboxKeys } from "@/lib/rails/pix/sandbox-keys";
import { sendNotices } from "@/lib/simulators/pix/notify";
import { patience } from "@/lib/simulators/pix/payouts";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail, whileDown } from "@/lib/testing/rail";

/** How often our callback was notified of each payout, by what the notice said. */
const notified: { id: string; status: string; event_id: string }[] = [];

/** These payouts have no withdrawals, so they are in a database that the run's last reconcile does not read. */
let drop: () => Promise<void>;
let server: Awaited<ReturnType<typeof serveRail>>;
const usual = { ...timeouts };
beforeAll(async () => {
  drop = await openOwnDatabase();
  server = await serveRail({
    onCallback: async (request) => {
      notified.push((await request.json()) as (typeof notified)[number]);
      return Response.json({});
    },
  });
  Object.assign(patience, { lateMs: 600, heldMs: 600 });
});
afterAll(async () => {
  await server.close();
  await drop();
});

function payouts() {
  const found = railFor("sandbox")?.payouts;
  if (!found?.simulate || !found.lookUpKey) throw new Error("a sandbox has the simulated rail");
  return { ...found, simulate: found.simulate, lookUpKey: found.lookUpKey };
}

const order = (overrides: Partial<PayoutOrder> = {}): PayoutOrder => ({
  ...{ id: newId(), type: "EMAIL", key: "ana@loja.example", amount: 1_001, document: "52998224725" },
  ...overrides,
});

/** Has the steps of all keys follow at once. */
async function follow() {
  await sendNotices();
  for (let step = 0; step < 4; step += 1) {
    await runPrepared("t-step", "update simulator_payouts set step_at = now() where step_at is not null", []);
    await sendNotices();
  }
}

describe("a payout to a key that says nothing", () => {
  test("is accepted, once for its id, and ends as it is said, once", async () => {
    const { sendPayout, findPayout, simulate } = payouts();
    const sent = order();
    expect(await findPayout(sent.id)).toBeNull();
    const answers = await Promise.all(Array.from({ length: 5 }, () => sendPayout(sent)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["accepted"]));
    expect(await simulate.endPayout({ id: sent.id, isPaid: true })).toBe(true);
    expect(await simulate.endPayout({ id: sent.id, isPaid: false })).toBe(false);
    expect(await findPayout(sent.id)).toMatchObject({
      id: sent.id,
      amount: 1_001,
      answer: { status: "paid" },
      returns: [],
    });
    expect(await sendPayout(sent)).toMatchObject({ status: "paid" });
    expect(await sendPayout({ ...sent, amount: 5 }), "another amount under the id").toMatchObject({ status: "paid" });
    await sendNotices();
    expect(notified.filter(({ id }) => id === sent.id.replaceAll("-", ""))).toMatchObject([{ status: "paid" }]);
  });

  test("is returned in parts, and no more than was paid", async () => {
    const { sendPayout, findPayout, simulate } = payouts();
    const sent = order();
    await sendPayout(sent);
    expect(await simulate.returnPayout({ id: sent.id, amount: 1 }), "before it was paid").toBe(false);
    await simulate.endPayout({ id: sent.id, isPaid: true });
    expect(await simulate.returnPayout({ id: sent.id, amount: 400 })).toBe(true);
    expect(await simulate.returnPayout({ id: sent.id, amount: 602 })).toBe(false);
    expect(await simulate.returnPayout({ id: sent.id, amount: 601 })).toBe(true);
    const { returns } = (await findPayout(sent.id)) as Payout;
    expect(returns.map(({ amount }) => amount)).toEqual([400, 601]);
    expect(new Set(returns.map(({ returnId }) => returnId)).size).toBe(2);
  });

  test("is in the list of the time of its last change, page by page", async () => {
    const { sendPayout, payoutsChangedWithin, simulate } = payouts();
    const sent = order();
    await sendPayout(sent);
    await simulate.endPayout({ id: sent.id, isPaid: true });
    const found: Payout[] = [];
    for await (const one of payoutsChangedWithin(new Date(Date.now() - 10_000), new Date(Date.now() + 10_000)))
      found.push(one);
    expect(found.filter(({ id }) => id === sent.id)).toMatchObject([{ amount: 1_001, answer: { status: "paid" } }]);
  });

  test("is lost, and nothing happened, where nobody can be reached", async () => {
    const sent = order();
    expect(await whileDown(() => payouts().sendPayout(sent))).toEqual({ status: "lost" });
    expect(await payouts().findPayout(sent.id)).toBeNull();
  });
});

/** What is known of a payout to each key: the answer, what the PSP says when all steps are made, and what came back. */
const ends: Record<keyof typeof sandboxKeys, [answer: string, end: string | null, returns: number[]]> = {
  "paid@psp.example": ["paid", "paid", []],
  "paid-later@psp.example": ["accepted", "paid", []],
  "failed@psp.example": ["failed", "failed", []],
  "failed-later@psp.example": ["accepted", "failed", []],
  "unknown@psp.example": ["failed", null, []],
  "another@psp.example": ["accepted", "accepted", []],
  "late@psp.example": ["none", "paid", []],
  "silent@psp.example": ["none", "paid", []],
  "unheard@psp.example": ["none", null, []],
  "forgotten@psp.example": ["accepted", null, []],
  "lost-record@psp.example": ["accepted", null, []],
  "twice@psp.example": ["paid", "paid", []],
  "failed-then-paid@psp.example": ["failed", "paid", []],
  "returned@psp.example": ["paid", "paid", [1_001]],
  "returned-in-parts@psp.example": ["paid", "paid", [501, 500]],
  "half-returned@psp.example": ["paid", "paid", [501]],
};

test.each(Object.entries(ends))("a payout to %s goes as the table says", async (key, [answer, end, returns]) => {
  const { sendPayout, findPayout, lookUpKey } = payouts();
  const sent = order({ key });
  if (answer === "none") Object.assign(timeouts, { callMs: 400 });
  const answered = await sendPayout(sent).catch(() => ({ status: "none" }));
  Object.assign(timeouts, usual);
  expect(answered.status).toBe(answer);
  await follow();
  const found = await findPayout(sent.id);
  expect([found?.answer.status ?? null, found?.returns.map(({ amount }) => amount) ?? []]).toEqual([end, returns]);
  const owner = await lookUpKey({ type: "EMAIL", key, document: sent.document });
  const said: SandboxKey = sandboxKeys[key as keyof typeof sandboxKeys];
  if (said.owner === "nobody") expect(owner).toBeNull();
  else expect(owner?.document === sent.document).toBe(said.owner !== "another");
  const reports = notified.filter(({ id }) => id === sent.id.replaceAll("-", ""));
  if (key === "twice@psp.example") expect(new Set(reports.map(({ event_id }) => event_id)).size).toBe(3);
});

test("a key that is a document is of that document, and any other of whoever is expected to have it", async () => {
  const { lookUpKey } = payouts();
  expect(await lookUpKey({ type: "CPF", key: "39053344705", document: "52998224725" })).toMatchObject({
    document: "39053344705",
  });
  expect(await lookUpKey({ type: "PHONE", key: "+5511999990000", document: "11222333000181" })).toMatchObject({
    ...{ document: "11222333000181", name: "Empresa de Teste Ltda" },
  });
  expect(await lookUpKey({ type: "EVP", key: newId() })).toMatchObject({ name: "Pessoa de Teste" });
});
