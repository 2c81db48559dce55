import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { asSystem, forAccount } from "@/lib/db";
import { depositCall } from "@/lib/deposits/call";
import { requestDeposit } from "@/lib/deposits/request";
import { type Idem, replayOf } from "@/lib/idempotency";
import { newId, sha256 } from "@/lib/ids";
import { resolveCall } from "@/lib/outside/calls";
import { timeouts } from "@/lib/outside/http-client";
import { makeDueCalls } from "@/lib/outside/run";
import type { CrashPoint } from "@/lib/process/crash-points";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { crashAt, freePort } from "@/lib/testing/program";
import { makeCodesAt, servePsp } from "@/lib/testing/psp";
import { historyOf, tracesOf } from "@/lib/testing/traces";

/** The loop asks about every due call, so these tests have a database of their own. */
let drop: () => Promise<void>;
let psp: Awaited<ReturnType<typeof servePsp>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  psp = await servePsp();
});
afterAll(async () => {
  await psp.close();
  await drop();
});

const usual = { ...timeouts };
afterEach(() => {
  Object.assign(timeouts, usual);
  psp.instead = undefined;
  psp.sent.length = 0;
});

const keyed = ({ accountId }: Made, key = newId()): Idem => ({
  accountId,
  key,
  requestHash: sha256("the request"),
  render: (result) => ({ status: 200, body: JSON.stringify(result) }),
});

const request = ({ account }: Made, idem?: Idem) =>
  requestDeposit(account, cashIn({ description: "Pedido 7" }), { ...call(), idem });

type Outcome = { code?: string; identifier: string; error?: string };

/** The caller's answer, new or replayed: the code, or the error with the sale's id. */
const answered = (attempt: Promise<unknown>): Promise<Outcome> =>
  attempt.then(read, (thrown) => {
    const stored = replayOf(thrown);
    if (stored) return read(JSON.parse(stored.body));
    if (!thrown.options?.details) throw thrown;
    return { error: thrown.code, identifier: thrown.options.details.identifier };
  });

const read = (body: unknown): Outcome => {
  const { pix_code: code, identifier, error } = body as { pix_code: string; identifier: string; error: string };
  return error ? { error, identifier } : { code, identifier };
};

const salesOf = ({ accountId }: Made) => forAccount(accountId, (tx) => tx.transaction.findMany());
const putsOf = (id: string) => psp.sent.filter(({ method, txid }) => method === "PUT" && txid === txidOf(id));
const txidOf = (id: string) => id.replaceAll("-", "");

/** Makes every call minutes older and due, so that a call unknown to the PSP counts as lost. */
const letTimePass = (minutes: number) =>
  asSystem(
    (tx) => tx.$executeRaw`
    update calls set sent_at = sent_at - ${minutes} * interval '1 minute', asked_at = asked_at - ${minutes} * interval '1 minute', due_at = now()`,
  );

/** Asks about what is due. Returns how often the PSP was asked for a code's state. */
async function resolveDue(): Promise<number> {
  const isFind = ({ method }: { method: string }) => method === "GET";
  const before = psp.sent.filter(isFind).length;
  await makeDueCalls([depositCall]);
  return psp.sent.filter(isFind).length - before;
}

/** The PSP makes the code and does not answer. */
const makeSilently: NonNullable<typeof psp.instead> = (_, sent) => void psp.make(sent);

test("the PSP is asked once, after the sale is committed, and sale and caller get its code", async () => {
  const seller = await makeAccount();
  let committed: object[] = [];
  psp.instead = async (response, sent) => {
    committed = await salesOf(seller);
    response.writeHead(201).end(JSON.stringify(psp.make(sent)));
  };
  const { identifier, pix_code, expires_at } = await request(seller);

  expect(committed).toMatchObject([{ id: identifier, status: "pending", pixCode: null }]);
  const [sale] = await salesOf(seller);
  const txid = txidOf(identifier);
  expect(sale).toMatchObject({ id: identifier, status: "pending", amount: 10_000n, txid, pixCode: pix_code });
  expect(pix_code).toBe(psp.cobs.get(txid)?.pixCopiaECola);
  expect(pix_code).toMatch(/^000201.*br\.gov\.bcb\.pix/);
  expect(expires_at).toBe(`${sale?.expiresAt?.toISOString().slice(0, -1)}000Z`);
  expect(psp.sent.map(({ method, body }) => [method, JSON.parse(body)])).toEqual([
    ["PUT", { calendario: { expiracao: 86_400 }, valor: { original: "100.00" }, solicitacaoPagador: "Pedido 7" }],
  ]);
  expect(await historyOf(seller.accountId, identifier)).toEqual(["pending", "pending → pending"]);
  expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 1, events: 2, outbox: 2, postings: 0 });
});

describe("a PSP that does not answer in time", () => {
  async function unanswered(seller: Made, idem?: Idem): Promise<string> {
    timeouts.callMs = 200;
    const { error, identifier } = await answered(request(seller, idem));
    expect(error).toBe("deposit_pending");
    return identifier;
  }

  test("and has made the code: the loop finds it, and a repeat of the key is answered with it", async () => {
    const seller = await makeAccount();
    const idem = keyed(seller);
    psp.instead = makeSilently;
    const identifier = await unanswered(seller, idem);
    expect(await salesOf(seller)).toMatchObject([{ id: identifier, status: "pending", pixCode: null }]);
    expect(await answered(request(seller, idem)), "still unknown").toEqual({ error: "deposit_pending", identifier });

    psp.instead = undefined;
    await letTimePass(0);
    expect(await resolveDue()).toBe(1);

    const code = psp.cobs.get(txidOf(identifier))?.pixCopiaECola;
    expect(await salesOf(seller)).toMatchObject([{ id: identifier, status: "pending", pixCode: code }]);
    const repeats = [await answered(request(seller, idem)), await answered(request(seller, idem))];
    expect(repeats).toEqual([
      { code, identifier },
      { code, identifier },
    ]);
    expect(putsOf(identifier)).toHaveLength(1);
    await letTimePass(0);
    expect(await resolveDue(), "it is known").toBe(0);
  });

  test("is asked when it was due to be, however often the caller repeats its request meanwhile", async () => {
    const seller = await makeAccount();
    const idem = keyed(seller);
    psp.instead = makeSilently;
    const identifier = await unanswered(seller, idem);
    psp.instead = undefined;
    await letTimePass(0);
    expect(await answered(request(seller, idem))).toEqual({ error: "deposit_pending", identifier });
    expect(await resolveDue()).toBe(1);
  });

  test("and does not know our txid: it is asked for a quarter of an hour, then the sale and the key's repeats fail", async () => {
    const seller = await makeAccount();
    const idem = keyed(seller);
    psp.instead = () => undefined;
    const identifier = await unanswered(seller, idem);
    psp.instead = undefined;
    const asked = { accountId: seller.accountId, id: identifier };
    await expect(resolveCall(depositCall, asked)).rejects.toThrow("does not know");
    await letTimePass(16);
    await Promise.all([resolveCall(depositCall, asked), resolveCall(depositCall, asked)]);
    expect(await historyOf(seller.accountId, identifier)).toEqual(["pending", "pending → failed"]);
    const failed = { error: "deposit_not_made", identifier };
    expect([await answered(request(seller, idem)), await answered(request(seller, idem))]).toEqual([failed, failed]);
  });

  test("and cannot be reached: it is asked again, however old the call is", async () => {
    const seller = await makeAccount();
    psp.instead = makeSilently;
    const id = await unanswered(seller);
    psp.instead = (response) => response.writeHead(500).end();
    await letTimePass(30 * 24 * 60);
    await expect(resolveCall(depositCall, { accountId: seller.accountId, id })).rejects.toThrow("500");
    expect(await salesOf(seller)).toMatchObject([{ status: "pending" }]);
  });
});

test("a PSP that refuses the request made no code: the sale fails at once, and its key's repeats get the same answer", async () => {
  const seller = await makeAccount();
  psp.instead = (response) => response.writeHead(400).end("{}");
  await expectFailure(seller);
});

test("a PSP that cannot be reached made no code: the sale fails at once, and its key's repeats get the same answer", async () => {
  const seller = await makeAccount();
  onTestFinished(makeCodesAt(`http://127.0.0.1:${await freePort()}`));
  await expectFailure(seller);
});

async function expectFailure(seller: Made) {
  const idem = keyed(seller);
  const answer = await answered(request(seller, idem));
  expect(answer).toMatchObject({ error: "deposit_not_made", identifier: expect.any(String) });
  expect(await answered(request(seller, idem))).toEqual(answer);
  expect(await historyOf(seller.accountId, answer.identifier)).toEqual(["pending", "pending → failed"]);
}

test("six requests at once and one later under one key are one deposit with one call, and get the same answer", async () => {
  const seller = await makeAccount();
  const idem = keyed(seller);
  const answers = await Promise.all(Array.from({ length: 6 }, () => answered(request(seller, idem))));
  const all = [...answers, await answered(request(seller, idem))];
  expect(new Set(all.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(all[0]?.code).toMatch(/^000201/);
  expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 1, keys: 1 });
  expect(psp.sent).toHaveLength(1);
});

test("another request under the key is refused, and the PSP is not asked", async () => {
  const seller = await makeAccount();
  const idem = keyed(seller);
  await request(seller, idem);
  const other = { ...idem, requestHash: sha256("another request") };
  await expect(request(seller, other)).rejects.toMatchObject({ code: "idempotency_key_reused" });
  expect(psp.sent).toHaveLength(1);
});

/** Runs in a process of its own, which crashes at CRASH_AT. */
const REQUEST = `import { requestDeposit } from "@/lib/deposits/request";
  import { CashInBody } from "@/lib/deposits/schema";
  import { sha256 } from "@/lib/ids";
  import { makeCodesAt } from "@/lib/testing/psp";
  const { account, key, url } = JSON.parse(process.env.CASE);
  makeCodesAt(url);
  const render = (result) => ({ status: 200, body: JSON.stringify(result) });
  const idem = { accountId: account.id, key, requestHash: sha256("the request"), render };
  const body = CashInBody.parse({ amount: 100, description: "Pedido 7" });
  await requestDeposit(account, body, { idem, requestId: crypto.randomUUID() });
  process.exit(0);`;
const RESOLVE = `import { depositCall } from "@/lib/deposits/call";
  import { resolveCall } from "@/lib/outside/calls";
  import { makeCodesAt } from "@/lib/testing/psp";
  const { asked, url } = JSON.parse(process.env.CASE);
  makeCodesAt(url);
  await resolveCall(depositCall, asked);
  process.exit(0);`;

const crash = (point: CrashPoint, source: string, given: object) =>
  crashAt(point, source, { CASE: JSON.stringify({ ...given, url: psp.url }) });

test.each(["call.beginning", "call.begun", "call.answered", "call.finishing", "call.finished", "call.found"] as const)(
  "a crash at %s ends in one code or none, and every repeat of the key gets the same answer",
  { timeout: 60_000 },
  async (point) => {
    const seller = await makeAccount();
    const idem = keyed(seller);
    if (point === "call.found") {
      Object.assign(timeouts, { callMs: 200 });
      psp.instead = makeSilently;
      const { identifier: id } = await answered(request(seller, idem));
      psp.instead = undefined;
      await crash(point, RESOLVE, { asked: { accountId: seller.accountId, id } });
    } else {
      await crash(point, REQUEST, { account: seller.account, key: idem.key });
    }

    await letTimePass(16); // the crashed process counts as dead
    const first = await answered(request(seller, idem));
    const calls = await forAccount(seller.accountId, (tx) => tx.call.findMany());
    await Promise.all([...calls, ...calls].map((made) => resolveCall(depositCall, made)));
    const repeats = [await answered(request(seller, idem)), await answered(request(seller, idem))];

    const [sale, ...others] = await salesOf(seller);
    expect(others).toEqual([]);
    const id = sale?.id ?? "";
    const made = psp.cobs.get(txidOf(id));
    expect(putsOf(id)).toHaveLength(made ? 1 : 0);
    expect(sale).toMatchObject({ status: made ? "pending" : "failed", pixCode: made?.pixCopiaECola ?? null });
    const end = made ? { code: made.pixCopiaECola, identifier: id } : { error: "deposit_not_made", identifier: id };
    expect(repeats).toEqual([end, end]);
    const isKnownAtOnce = point === "call.beginning" || point === "call.finished";
    expect(first).toEqual(isKnownAtOnce ? end : { error: "deposit_pending", identifier: id });
    expect(Boolean(made)).toBe(point !== "call.begun");
    expect(await historyOf(seller.accountId, id)).toEqual(["pending", `pending → ${sale?.status}`]);
  },
);
