import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { actAs } from "@/lib/actor";
import { asSystem, queryOf, runPrepared } from "@/lib/db";
import { completeDuePayments } from "@/lib/deposits/complete";
import { requestDeposit } from "@/lib/deposits/request";
import { compareDays, listComparisons } from "@/lib/differences/ask";
import { closeDifference } from "@/lib/differences/close";
import { compareRail } from "@/lib/differences/compare-rail";
import { listDifferences } from "@/lib/differences/read";
import { compareDue } from "@/lib/differences/run";
import { DifferencesQuery } from "@/lib/differences/schema";
import { medWatch } from "@/lib/disputes/report";
import { newId } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { makeDueCalls } from "@/lib/outside/run";
import { askDue } from "@/lib/outside/watch";
import { watchCalls } from "@/lib/outside/watch-calls";
import { connectProvider } from "@/lib/providers/connect";
import { readProviders } from "@/lib/rails/pix/connected";
import type { PixRail } from "@/lib/rails/pix/port";
import { railNamed } from "@/lib/rails/pix/rails";
import { approveRefund } from "@/lib/refunds/approve";
import { refundCalls } from "@/lib/refunds/call";
import { idOfCode } from "@/lib/refunds/record";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { serveEfi } from "@/lib/testing/efi";
import { openHost } from "@/lib/testing/http";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { STAFF } from "@/lib/testing/refunds";
import { historyOf } from "@/lib/testing/traces";
import { askedWithdrawal } from "@/lib/testing/withdrawals";
import { DAY_MS, lastDays } from "@/lib/time/calendar";
import { withdrawalCall } from "@/lib/withdrawals/call";
import { payoutWatch } from "@/lib/withdrawals/payout-watch";

openHost(routes.filter(({ path }) => /^\/(callbacks|simulator)\//.test(path)));
/** A PSP is of all accounts, so these tests have a database of their own. */
let drop: () => Promise<void>;
let psp: Awaited<ReturnType<typeof serveEfi>>;
let made: Made;
beforeAll(async () => {
  drop = await openOwnDatabase();
  psp = await serveEfi();
  const { callback_secret: _, ...settings } = psp.settings;
  await actAs(STAFF, () => connectProvider({ name: "efi", title: "Efí", ...settings }));
  await runPrepared("t-connected", "update pix_providers set created_at = now() - interval '120 days'", []);
  await readProviders();
  made = await makeAccount({ mode: "live" });
});
afterAll(async () => {
  await psp.close();
  await drop();
});
beforeEach(async () => {
  await asSystem((tx) => tx.reconcileDifference.deleteMany());
});
afterEach(() => {
  Object.assign(psp, { between: undefined, perPage: 1_000 });
});

type Pix = ReturnType<typeof psp.pay>;

/** A sale that was paid over the PSP, and its payment there. */
async function aSale(amount = 10_000): Promise<{ id: string; pix: Pix }> {
  const { identifier: id } = await requestDeposit(made.account, cashIn({ amount: amount / 100 }), call());
  const pix = psp.pay({ txid: id.replaceAll("-", "") });
  await psp.callBack(pix);
  await completeDuePayments();
  return { id, pix };
}

/** A refund of a part of a new sale that is with its payer, by both sides. */
async function aRefund() {
  const { id: sale, pix } = await aSale();
  const body = RefundBody.parse({ reason: "other", amount: 40 });
  const { code } = (await requestRefund(made.account, { ...body, id: sale }, call())).data;
  await actAs(STAFF, () => approveRefund({ accountId: made.accountId, code }, call()));
  const id = idOfCode(code) ?? "";
  await makeDueCalls(refundCalls);
  psp.endReturn(pix.endToEndId, id.replaceAll("-", ""));
  await psp.callBack(pix);
  await askDue([watchCalls(...refundCalls)]);
  return { id, pix };
}

/** A withdrawal that was paid, by both sides. */
async function aPayout(): Promise<string> {
  const asked = await makeAccount({ mode: "live" });
  const id = await askedWithdrawal(asked, { amount: 100, pix_key_type: "EMAIL", pix_key: "ana@loja.example" });
  await makeDueCalls([withdrawalCall]);
  psp.end(id, true);
  await listen(id);
  return id;
}
async function listen(id: string) {
  await psp.report(id);
  while (await askDue([payoutWatch]));
}
const hex = (id: string) => id.replaceAll("-", "");
const sent = (id: string) => psp.sent.get(hex(id)) as NonNullable<ReturnType<typeof psp.sent.get>>;

/** Plans a comparison with the PSP of the last day up to now, which the staff asked for or is that of a day. */
async function plan({ until = new Date(Date.now() + 1_000), isAsked = true } = {}): Promise<string> {
  const id = newId();
  const since = new Date(Date.now() - DAY_MS);
  const data = { id, provider: "efi", since, until, returnsSince: since, askedBy: isAsked ? newId() : null };
  await asSystem((tx) => tx.railComparison.create({ data }));
  return id;
}
/** Compares the last day, as where what happened just now had settled. */
async function compare(): Promise<string> {
  const id = await plan();
  await compareDue({ settledMs: -60_000 });
  return id;
}
const list = async (status: "open" | "closed" | "resolved" = "open") =>
  (await listDifferences(DifferencesQuery.parse({ status, per_page: 100 }))).data;
const shown = async () => (await list()).map(({ kind, fault, record }) => [kind, fault, record]).sort();
const comparison = async (id: string) => (await listComparisons()).data.find((one) => one.id === id);

test("nothing differs where both sides have the same, and what was counted on each is kept", async () => {
  await aRefund();
  const payout = await aPayout();
  psp.giveBack(payout, 4_000);
  await listen(payout);
  const { pix } = await aSale();
  psp.takeBack(pix, "MED_FRAUDE", 4_000);
  await psp.callBack(pix);
  await askDue([medWatch]);
  await psp.callBack(psp.pay({ amount: 700 })); // for no sale
  await completeDuePayments();
  const id = await compare();
  expect(await list()).toEqual([]);
  expect(await comparison(id)).toMatchObject({
    ...{ provider: "efi", found: 0, failure: null, ended_at: expect.any(String) },
    figures: {
      ...{ payment: { theirs: 3, ours: 3 }, return: { theirs: 2, ours: 2 }, unreadable: 0 },
      ...{ payout: { theirs: 1, ours: 1 }, payout_return: { theirs: 1, ours: 1 } },
    },
  });
});

type Planted = [kind: string, fault: string, record: string];
/** Each plants a difference, and returns it with what mends it. */
const faults: Record<string, () => Promise<{ planted: Planted; mend: () => unknown }>> = {
  "a payment that we do not have": async () => {
    const pix = psp.pay({ amount: 700 });
    return { planted: ["payment", "missing_here", pix.endToEndId], mend: () => psp.pixes.delete(pix.endToEndId) };
  },
  "a payment that the PSP does not have": async () => {
    const { pix } = await aSale();
    psp.pixes.delete(pix.endToEndId);
    const mend = () => psp.pixes.set(pix.endToEndId, pix);
    return { planted: ["payment", "missing_there", pix.endToEndId], mend };
  },
  "a payment of another amount": async () => {
    const { pix } = await aSale();
    Object.assign(pix, { valor: "99.99" });
    return { planted: ["payment", "amount", pix.endToEndId], mend: () => Object.assign(pix, { valor: "100.00" }) };
  },
  "a refund that the PSP does not have": async () => {
    const { id, pix } = await aRefund();
    const { devolucoes } = pix;
    Object.assign(pix, { devolucoes: [] });
    return { planted: ["return", "missing_there", id], mend: () => Object.assign(pix, { devolucoes }) };
  },
  "a refund that the PSP did not make after all": async () => {
    const { id, pix } = await aRefund();
    psp.endReturn(pix.endToEndId, hex(id), false);
    return { planted: ["return", "state", id], mend: () => psp.endReturn(pix.endToEndId, hex(id), true) };
  },
  "what the PSP took back by itself": async () => {
    const { pix } = await aSale();
    psp.takeBack(pix, "MED_FRAUDE", 3_000);
    const [one] = pix.devolucoes ?? [];
    const mend = () => Object.assign(pix, { devolucoes: [] });
    return { planted: ["return", "missing_here", `${pix.endToEndId}.${one?.id}`], mend };
  },
  "a payout that is not ours": async () => {
    const [id, other] = [newId(), sent(await aPayout())];
    psp.sent.set(hex(id), { ...other, idEnvio: hex(id), devolucoes: [] });
    return { planted: ["payout", "missing_here", id], mend: () => psp.sent.delete(hex(id)) };
  },
  "a payout that the PSP does not have": async () => {
    const id = await aPayout();
    const one = sent(id);
    psp.sent.delete(hex(id));
    return { planted: ["payout", "missing_there", id], mend: () => psp.sent.set(hex(id), one) };
  },
  "a payout of another amount": async () => {
    const one = sent(await aPayout());
    Object.assign(one, { valor: "100.01" });
    const [id] = [...psp.sent.entries()].flatMap(([id, other]) => (other === one ? [id] : []));
    const uuid = (id ?? "").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    return { planted: ["payout", "amount", uuid], mend: () => Object.assign(one, { valor: "100.00" }) };
  },
  "what came back of a payout and we do not have": async () => {
    const id = await aPayout();
    psp.giveBack(id, 2_000);
    const [back] = sent(id).devolucoes;
    return { planted: ["payout_return", "missing_here", back?.rtrId ?? ""], mend: () => listen(id) };
  },
  "what came back of a payout and the PSP does not have": async () => {
    const id = await aPayout();
    psp.giveBack(id, 2_000);
    await listen(id);
    const { devolucoes } = sent(id);
    Object.assign(sent(id), { devolucoes: [] });
    const mend = () => Object.assign(sent(id), { devolucoes });
    return { planted: ["payout_return", "missing_there", devolucoes[0]?.rtrId ?? ""], mend };
  },
};

test.each(Object.entries(faults))(
  "%s is one row, however often it is found, and is resolved when it is gone",
  async (_, plant) => {
    const { planted, mend } = await plant();
    await compare();
    expect(await shown()).toEqual([planted]);
    const [first] = await list();
    await compare();
    const [again, ...others] = await list();
    expect(others).toEqual([]);
    expect(again).toEqual({ ...first, last_seen_at: expect.any(String) });
    expect(Date.parse(again?.last_seen_at ?? "")).toBeGreaterThan(Date.parse(first?.last_seen_at ?? ""));
    await mend();
    await compare();
    expect(await list()).toEqual([]);
    expect((await list("resolved"))[0]).toMatchObject({ id: first?.id, status: "resolved" });
  },
);

test("what was paid to another key of the same client is another system's, and no difference", async () => {
  const pix = psp.pay({ amount: 700 });
  Object.assign(pix, { chave: "11999999999" });
  await compare();
  expect(await list()).toEqual([]);
  psp.pixes.delete(pix.endToEndId);
});

test("what happened just now is no difference yet", async () => {
  const pix = psp.pay({ amount: 700 });
  await plan();
  await compareDue();
  expect(await list()).toEqual([]);
  psp.pixes.delete(pix.endToEndId);
});

test("one that a person closed stays closed as it is, and is open again when it differs otherwise", async () => {
  const pix = psp.pay({ amount: 700 });
  await compare();
  const [seen] = await list();
  const close = (updated_at: string) =>
    actAs(STAFF, () => closeDifference({ id: seen?.id ?? "", reason: "Depósito da própria empresa.", updated_at }));
  Object.assign(pix, { valor: "8.00" });
  await compare();
  await expect(close(seen?.updated_at ?? ""), "it is another amount now").rejects.toMatchObject({
    code: "difference_changed",
  });
  const [changed] = await list();
  expect(changed).toMatchObject({ id: seen?.id, amount_there: "8.00", amount_here: null });
  await close(changed?.updated_at ?? "");
  await expect(close(changed?.updated_at ?? ""), "twice").rejects.toMatchObject({ code: "invalid_transition" });
  await compare();
  expect(await list()).toEqual([]);
  expect((await list("closed"))[0]).toMatchObject({ reason: "Depósito da própria empresa.", amount_there: "8.00" });
  Object.assign(pix, { valor: "9.00" });
  await compare();
  expect(await list()).toMatchObject([{ id: seen?.id, amount_there: "9.00", reason: null, closed_at: null }]);
  expect(await historyOf(PLATFORM, seen?.id ?? "")).toEqual(["open → open", "open → closed", "closed → open"]);
  psp.pixes.delete(pix.endToEndId);
});

test("two workers that compare at once write each difference once", async () => {
  const pixes = Array.from({ length: 3 }, () => psp.pay({ amount: 700 }));
  await Promise.all([plan(), plan({ until: new Date(Date.now() + 2_000) })]);
  await Promise.all([compareDue({ settledMs: -60_000 }), compareDue({ settledMs: -60_000 })]);
  expect((await shown()).map(([, , id]) => id)).toEqual(pixes.map(({ endToEndId }) => endToEndId).sort());
  for (const { endToEndId } of pixes) psp.pixes.delete(endToEndId);
});

test("a PSP that goes away in its list is not compared, which is not that nothing differs, and is asked again later", async () => {
  psp.perPage = 100;
  const pixes = Array.from({ length: 130 }, () => psp.pay({ amount: 700 }));
  psp.between = async (asked, serve) =>
    asked.query.get("paginacao.paginaAtual") === "1" ? { status: 503, body: {} } : serve();
  const [id, asked] = [await plan({ isAsked: false }), await plan()];
  await expect(compareDue({ settledMs: -60_000 })).rejects.toThrow("Not compared: efi");
  expect(await list()).toEqual([]);
  const nothing = { figures: null, found: null, failure: "not_read" };
  expect(await comparison(id)).toMatchObject({ ...nothing, ended_at: null });
  expect(await comparison(asked), "the staff ask again").toMatchObject({ ...nothing, ended_at: expect.any(String) });
  psp.between = undefined;
  await compareDue({ settledMs: -60_000 });
  expect(await list()).toHaveLength(100); // of a page
  expect(await comparison(id)).toMatchObject({ found: 130, failure: null, ended_at: expect.any(String) });
  for (const { endToEndId } of pixes) psp.pixes.delete(endToEndId);
  await compare();
  expect(await list()).toEqual([]);
});

test("a payment that the PSP knows is no difference, although its list lacks it", async () => {
  await aSale();
  await aSale();
  psp.between = async (asked, serve) => {
    const answer = serve();
    if (asked.path === "/pix") Object.assign(answer.body ?? {}, { pix: [] });
    return answer;
  };
  await compare();
  expect(await list()).toEqual([]);
});

test("a payment that cannot be read is counted, and is no difference", async () => {
  const { pix } = await aSale();
  const odd = psp.pay({ amount: 100 });
  Object.assign(odd, { valor: "um real" });
  Object.assign(pix, { devolucoes: [{ id: "?" }] });
  const id = await compare();
  expect(await list()).toEqual([]);
  expect(await comparison(id)).toMatchObject({ figures: { unreadable: 2 } });
  const { pix: lost } = await aSale();
  psp.pixes.delete(lost.endToEndId);
  await compare();
  psp.pixes.set(lost.endToEndId, lost);
  await compare();
  expect(await list(), "what cannot be read may be what it is about").toMatchObject([{ status: "open" }]);
  psp.pixes.delete(odd.endToEndId);
  Object.assign(pix, { devolucoes: [] });
});

test("what went back of a payment of weeks ago is compared each day", async () => {
  const { id, pix } = await aRefund();
  const weeksAgo = new Date(Date.now() - 40 * DAY_MS).toISOString();
  Object.assign(pix, { horario: weeksAgo });
  const text = "update transactions set paid_at = $2::timestamptz where end_to_end_id = $1";
  await asSystem((tx) => queryOf(tx)("", text, [pix.endToEndId, weeksAgo]));
  const { devolucoes } = pix;
  Object.assign(pix, { devolucoes: [] });
  psp.takeBack(pix, "MED_FRAUDE", 100);
  const [med] = pix.devolucoes ?? [];
  const daily = () => runPrepared("t-daily", "delete from rail_comparisons where asked_by is null", []);
  await daily();
  await compareDue({ settledMs: -60_000 });
  expect(await shown()).toEqual(
    [
      ["return", "missing_here", `${pix.endToEndId}.${med?.id}`],
      ["return", "missing_there", id],
    ].sort(),
  );
  Object.assign(pix, { devolucoes });
  await daily();
  await compareDue({ settledMs: -60_000 });
  expect(await list()).toEqual([]);
});

test("each day is compared once with each PSP, and what is asked for is made once", async () => {
  await compareDue();
  const daily = async () => (await listComparisons()).data.filter(({ is_asked }) => !is_asked);
  expect(await daily()).toHaveLength(1);
  await compareDue();
  expect(await daily()).toHaveLength(1);
  const [yesterday = ""] = lastDays(new Date(), 2);
  const ask = (days: object) => compareDays({ provider: "efi", from: yesterday, to: yesterday, ...days });
  await actAs(STAFF, async () => {
    const today = lastDays(new Date(), 1)[0];
    const asked = await Promise.allSettled([ask({}), ask({}), ask({ to: today })]);
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of asked)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "comparison_under_way" });
    await expect(ask({ provider: "outro" })).rejects.toMatchObject({
      options: { faults: { provider: [expect.any(String)] } },
    });
    const tomorrow = lastDays(new Date(Date.now() + DAY_MS), 1)[0];
    await expect(ask({ from: tomorrow, to: tomorrow })).rejects.toMatchObject({
      options: { faults: { from: expect.anything() } },
    });
  });
  const open = async () => (await listComparisons()).data.filter(({ ended_at }) => !ended_at);
  const [only, ...others] = await open();
  expect(others).toEqual([]);
  const recorded = await asSystem((tx) =>
    tx.event.findMany({ where: { type: "comparison.created" }, select: { subjectId: true } }),
  );
  expect(recorded).toEqual([{ subjectId: only?.id }]);
  await compareDue();
  expect(await open()).toEqual([]);
});

test("a PSP that cannot be reached for a day is given up for that day, and says so", async () => {
  psp.between = async () => ({ status: 503, body: {} });
  const id = await plan({ isAsked: false });
  await runPrepared(
    "t-old",
    "update rail_comparisons set created_at = now() - interval '25 hours' where id = $1::uuid",
    [id],
  );
  await expect(compareDue()).rejects.toThrow();
  expect(await comparison(id)).toMatchObject({
    ended_at: expect.any(String),
    failure: "not_read",
    found: null,
  });
  psp.between = undefined;
  await compareDue();
});

test("parts of a long list are compared as the whole would be, and where more than a thousand records differ none is written", async () => {
  const at = (nth: number) => new Date(Date.now() - DAY_MS + Math.floor(nth / 3) * 1_000);
  const long = (count: number): PixRail => ({
    ...(railNamed("efi") as PixRail),
    async *listReceived() {
      for (let nth = 0; nth < count; nth += 1)
        yield {
          endToEndId: `E${String(nth).padStart(31, "0")}`,
          amount: 100,
          paidAt: at(nth),
          returns: [],
          isOfOthers: false,
        };
    },
    payouts: undefined,
  });
  const span = { since: new Date(Date.now() - 2 * DAY_MS), until: new Date(Date.now() - DAY_MS / 2) };
  const platform = {
    accountId: PLATFORM,
    mode: "live",
    method: "pix",
    provider: "efi",
    reason: "unknown_txid",
  } as const;
  const data = Array.from({ length: 2_990 }, (_, nth) => ({
    ...{ ...platform, id: newId(), endToEndId: `E${String(nth).padStart(31, "0")}`, amount: 100n },
    ...{ receivedAt: at(nth), updatedAt: at(nth) },
  }));
  await asSystem((tx) => tx.unmatchedReceipt.createMany({ data }));
  const compared = (count: number) => compareRail(long(count), { ...span, returnsSince: span.since }, new Date());
  const { differences, figures } = await compared(3_000);
  expect(figures.payment).toEqual({ theirs: 3_000, ours: 2_990 });
  expect(differences.map(({ fault }) => fault)).toEqual(Array.from({ length: 10 }, () => "missing_here"));
  await expect(compared(4_000)).rejects.toMatchObject({ failure: "too_many" });
  await expect(compared(0), "nor are all of ours read").rejects.toMatchObject({ failure: "too_many" });
  await asSystem((tx) => tx.unmatchedReceipt.deleteMany({ where: { id: { in: data.map(({ id }) => id) } } }));
});
