import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { actAs } from "@/lib/actor";
import { postAdjustment } from "@/lib/adjustments/post";
import { asSystem, queryOf, runPrepared } from "@/lib/db";
import { depositCall } from "@/lib/deposits/call";
import { completeDuePayments } from "@/lib/deposits/complete";
import { pollRail } from "@/lib/deposits/poll";
import { requestDeposit } from "@/lib/deposits/request";
import { lookForDisputes } from "@/lib/disputes/look";
import { medWatch } from "@/lib/disputes/report";
import { env } from "@/lib/env";
import { AppError, errorBody, errors } from "@/lib/errors";
import { newAlphanumeric, newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { PLATFORM } from "@/lib/ledger/chart";
import { resolveCall } from "@/lib/outside/calls";
import { timeouts } from "@/lib/outside/http-client";
import { makeDueCalls } from "@/lib/outside/run";
import { askDue } from "@/lib/outside/watch";
import { watchCalls } from "@/lib/outside/watch-calls";
import { changeProvider, connectProvider } from "@/lib/providers/connect";
import type { providerFaults } from "@/lib/providers/errors";
import type { PixRail } from "@/lib/rails/pix/port";
import { railFor } from "@/lib/rails/pix/rails";
import { reconcile } from "@/lib/reconcile/reconcile";
import { approveRefund } from "@/lib/refunds/approve";
import { refundCalls } from "@/lib/refunds/call";
import { idOfCode } from "@/lib/refunds/record";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { problem, serveApiPix } from "@/lib/testing/api-pix";
import { openHost } from "@/lib/testing/http";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { letTimePass, STAFF } from "@/lib/testing/refunds";
import { historyOf } from "@/lib/testing/traces";
import * as clock from "@/lib/time/clock";

const host = openHost(routes.filter(({ path }) => /^\/(callbacks|simulator)\//.test(path)));
/** A provider is of all accounts, so these tests have a database of their own. */
let drop: () => Promise<void>;
let psp: Awaited<ReturnType<typeof serveApiPix>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  psp = await serveApiPix();
  await connect();
});
afterAll(async () => {
  await psp.close();
  await drop();
});

const usual = { ...timeouts };
afterEach(() => {
  Object.assign(timeouts, usual);
  psp.between = undefined;
});

function connect(changes: object = {}) {
  const { callback_secret: _, ...settings } = psp.settings;
  return actAs(STAFF, () => connectProvider({ name: "psp", title: "PSP", ...settings, ...changes }));
}

/** The rail of live accounts. */
const rail = () => railFor("live") as PixRail;
const live = () => makeAccount({ mode: "live", feeBasisPoints: 200 });
const request = ({ account }: Made, amount = 10_000) =>
  requestDeposit(account, cashIn({ amount: amount / 100, description: "Pedido 7" }), call());
const txidOf = (identifier: string) => identifier.replaceAll("-", "");
const saleOf = (id: string) => asSystem((tx) => tx.transaction.findFirstOrThrow({ where: { id } }));
const heldByPlatform = async () => {
  const text =
    "select kind, sum(amount)::float8 as amount from ledger_entries where account_id = $1::uuid group by kind";
  const rows = await asSystem((tx) => queryOf(tx)<{ kind: string; amount: number }>("", text, [PLATFORM]));
  return Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]));
};
const available = ({ accountId }: Made) => readBalances(accountId).then((balances) => balances.available);

describe("a deposit", () => {
  test("has the PSP's code, and its payment is completed once by what the PSP says, however often it calls back", async () => {
    const made = await live();
    const { identifier, pix_code } = await request(made);
    expect(pix_code).toMatch(/^000201.*br\.gov\.bcb\.pix/);
    const pix = psp.pay({ txid: txidOf(identifier) });
    expect(await psp.callBack({ ...pix, valor: "99999.00" })).toBe(200);
    expect(await Promise.all([psp.callBack(pix, pix), psp.callBack(pix)])).toEqual([200, 200]);
    await Promise.all([completeDuePayments(), completeDuePayments()]);
    const payer = { name: null, document: null, ispb: "12345678" };
    expect(await saleOf(identifier)).toMatchObject({
      status: "completed",
      endToEndId: pix.endToEndId,
      provider: "psp",
      payer,
    });
    expect(await available(made)).toBe(9_800);
    expect(await heldByPlatform()).toEqual({ "clearing:psp": -10_000, fees: 200 });
    expect(await reconcile()).toEqual([]);
  });

  test("of which no callback comes is found in the PSP's list, among pages in any order", async () => {
    const made = await live();
    const asked = [];
    for (let n = 0; n < 3; n += 1) asked.push((await request(made)).identifier);
    for (const identifier of asked) psp.pay({ txid: txidOf(identifier) });
    expect(await pollRail(rail(), 60_000, -1_000)).toBe(3);
    await completeDuePayments();
    expect(await available(made)).toBe(29_400);
  });

  test("of which the list says odd things is found, also beside a payment that nobody can read", async () => {
    const made = await live();
    const { identifier } = await request(made);
    const pix = psp.pay({ txid: txidOf(identifier) });
    Object.assign(pix, { infoPagador: null, devolucoes: null, componentesValor: "?" });
    const odd = psp.pay({ amount: 100 });
    Object.assign(odd, { valor: "um real" });
    await pollRail(rail(), 60_000, -1_000);
    await completeDuePayments();
    expect(await saleOf(identifier)).toMatchObject({ status: "completed" });
    psp.pixes.delete(odd.endToEndId);
  });

  test("is paid by the PSP that made its code alone", async () => {
    const made = await live();
    const { identifier } = await request(made);
    await asSystem((tx) => tx.transaction.updateMany({ where: { id: identifier }, data: { provider: "other" } }));
    const pix = psp.pay({ txid: txidOf(identifier) });
    await psp.callBack(pix);
    await completeDuePayments();
    expect(await saleOf(identifier)).toMatchObject({ status: "pending" });
    const found = await asSystem((tx) => tx.unmatchedReceipt.findFirst({ where: { endToEndId: pix.endToEndId } }));
    expect(found).toMatchObject({ reason: "another_rail", status: "open" });
  });

  test("whose answer is lost is pending, and gets its code when the PSP is asked again under the same txid", async () => {
    const made = await live();
    Object.assign(timeouts, { callMs: 300, findMs: 300 });
    psp.between = async (_, serve) => void serve();
    await expect(request(made)).rejects.toMatchObject({ code: "deposit_pending" });
    psp.between = undefined;
    const before = psp.cobs.size;
    const { id } = await asSystem((tx) => tx.transaction.findFirstOrThrow({ where: { accountId: made.accountId } }));
    await resolveCall(depositCall, { accountId: made.accountId, id });
    const sale = await asSystem((tx) => tx.transaction.findFirstOrThrow({ where: { accountId: made.accountId } }));
    expect(sale).toMatchObject({ status: "pending", pixCode: expect.stringMatching(/^000201/) });
    expect(psp.cobs.size).toBe(before);
  });

  test("that the PSP refuses fails, and nothing is left to pay", async () => {
    const made = await live();
    psp.between = async () => ({
      status: 400,
      body: { type: "https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida", title: "x", status: 400 },
    });
    await expect(request(made)).rejects.toMatchObject({ code: "deposit_not_made" });
    const sale = await asSystem((tx) => tx.transaction.findFirstOrThrow({ where: { accountId: made.accountId } }));
    expect(sale).toMatchObject({ status: "failed", pixCode: null });
  });
});

test("what the PSP received before it was connected is not looked for", async () => {
  const earlier = psp.pay({ amount: 700 });
  Object.assign(earlier, { horario: new Date(Date.now() - 3_600_000).toISOString() });
  await pollRail(rail(), 86_400_000, -1_000);
  await completeDuePayments();
  const found = await asSystem((tx) => tx.unmatchedReceipt.findFirst({ where: { endToEndId: earlier.endToEndId } }));
  expect(found).toBeNull();
});

test("what was paid to another key of the same client is another system's, unless it pays a code of ours", async () => {
  const { identifier } = await request(await live());
  const [other, ours] = [psp.pay({ amount: 700 }), psp.pay({ txid: txidOf(identifier) })];
  for (const pix of [other, ours]) Object.assign(pix, { chave: "11999999999" });
  expect(await rail().received(other.endToEndId)).toBeNull();
  await pollRail(rail(), 60_000, -1_000);
  await completeDuePayments();
  expect(await asSystem((tx) => tx.unmatchedReceipt.count({ where: { endToEndId: other.endToEndId } }))).toBe(0);
  expect(await saleOf(identifier)).toMatchObject({ status: "completed" });
  const foreign = psp.pay({
    txid: newId()
      .replaceAll("-", "")
      .replace(/^(.{12})7/, "$14"),
  });
  Object.assign(foreign, { chave: "11999999999" });
  expect(await rail().received(foreign.endToEndId), "a UUID of another version").toBeNull();
  const { pix_key } = psp.settings;
  const change = (key: string) => {
    Object.assign(psp.settings, { pix_key: key });
    return actAs(STAFF, () => changeProvider({ name: "psp", pix_key: key }));
  };
  await change(newId());
  expect(await rail().received(psp.pay({ amount: 700 }).endToEndId), "at a key of before").toMatchObject({
    amount: 700,
  });
  await change(pix_key);
});

describe("a callback", () => {
  const send = (path: string, body: unknown) => host.ask("POST", `/callbacks/pix/${path}`, { body });
  const secret = () => psp.webhookUrl.split("/").at(-1) ?? "";

  test("goes where the PSP was told to send it, and is refused without the secret of its address", async () => {
    expect(psp.webhookUrl).toBe(`${host.url}/callbacks/pix/psp/${secret()}`);
    const body = { pix: [psp.pay({ amount: 500 })] };
    for (const path of ["psp", "psp/pix", `psp/${newAlphanumeric(43)}/pix`, `psp/${secret().slice(1)}/pix`])
      expect(await send(path, body)).toMatchObject({ status: 401 });
    expect(await send(`other/${secret()}/pix`, body)).toMatchObject({ status: 404 });
    expect(await send(`psp/${secret()}`, body), "a PSP may append nothing").toMatchObject({ status: 200 });
  });

  test("without anything in it is accepted, as a PSP tries the address; one that cannot be read does not hold up the others", async () => {
    for (const body of [{}, { pix: [] }, [], { evento: "teste" }])
      expect(await send(`psp/${secret()}/pix`, body)).toMatchObject({ status: 200 });
    for (const body of ["{", '"x"', '{"pix":7}'])
      expect(await send(`psp/${secret()}/pix`, body)).toMatchObject({ status: 400 });
    const made = await live();
    const { identifier } = await request(made);
    const pix = psp.pay({ txid: txidOf(identifier) });
    expect(await send(`psp/${secret()}/pix`, { pix: [{ endToEndId: "x" }, null, pix] })).toMatchObject({ status: 200 });
    await completeDuePayments();
    expect(await saleOf(identifier)).toMatchObject({ status: "completed" });
  });

  test("counts only from where the PSP calls, and with a certificate that a trusted proxy verified, where the staff says so", async () => {
    const { TRUSTED_PROXIES } = env;
    onTestFinished(() => void Object.assign(env, { TRUSTED_PROXIES }));
    const from = (address: string, more = {}) =>
      host
        .ask("POST", `/callbacks/pix/psp/${secret()}`, { body: {}, headers: { "x-forwarded-for": address, ...more } })
        .then(({ status }) => status);
    const verified = { "x-client-verify": "SUCCESS" };
    const change = (changes: object) => actAs(STAFF, () => changeProvider({ name: "psp", ...changes }));
    Object.assign(env, { TRUSTED_PROXIES: 1 });
    await change({ callback_networks: "203.0.113.0/24" });
    expect([await from("203.0.113.9"), await from("198.51.100.1")]).toEqual([200, 401]);
    await change({ callback_networks: null, callback_certificate: true });
    expect([await from("198.51.100.1", verified), await from("198.51.100.1")]).toEqual([200, 401]);
    Object.assign(env, { TRUSTED_PROXIES: 0 });
    expect(await from("198.51.100.1", verified), "anybody can write a header").toBe(401);
    await change({ callback_certificate: null });
  });

  test("about a payment to the key, for no sale of ours, leaves its money with the operator", async () => {
    const pix = psp.pay({ amount: 1_234 });
    await psp.callBack(pix);
    await completeDuePayments();
    const found = await asSystem((tx) => tx.unmatchedReceipt.findFirst({ where: { endToEndId: pix.endToEndId } }));
    expect(found).toMatchObject({ provider: "psp", mode: "live", reason: "unknown_txid", amount: 1_234n });
    expect(await reconcile()).toEqual([]);
  });
});

describe("a refund", () => {
  /** A paid sale of which a part goes back, as far as the PSP has taken it. */
  async function aRefund(amount = 4_000, sold: object = {}) {
    const made = await live();
    const { identifier } = await requestDeposit(made.account, cashIn({ amount: 100, ...sold }), call());
    const pix = psp.pay({ txid: txidOf(identifier) });
    await psp.callBack(pix);
    await completeDuePayments();
    return { made, pix, saleId: identifier, ...(await approvedOf(made, identifier, amount)) };
  }

  async function approvedOf({ account, accountId }: Made, saleId: string, amount: number) {
    const body = RefundBody.parse({ reason: "other", amount: amount / 100 });
    const { code } = (await requestRefund(account, { ...body, id: saleId }, call())).data;
    await actAs(STAFF, () => approveRefund({ accountId, code }, call()));
    const refundId = idOfCode(code) ?? "";
    return { id: txidOf(refundId), refundId };
  }
  const statusOf = (id: string) =>
    asSystem((tx) => tx.refund.findFirstOrThrow({ where: { id } })).then(({ status }) => status);

  /** The PSP takes the first request for a return and its answer is lost; it refuses the next and, for as long, finds nothing. */
  async function aTakenRefund(...asked: Parameters<typeof aRefund>) {
    const one = await aRefund(...asked);
    psp.between = async ({ method, path }, serve) => {
      if (!path.includes("/devolucao/")) return serve();
      if (method === "GET") return problem(404, "PixDevolucaoNaoEncontrado");
      return serve().status === 201 ? undefined : problem(400, "PixDevolucaoInvalida");
    };
    await makeDueCalls(refundCalls);
    expect(one.pix.devolucoes).toHaveLength(1);
    expect(await statusOf(one.refundId)).toBe("processing");
    return one;
  }

  test("whose answer was lost is not failed by the refusal of a repeat, also after the PSP took no more requests", async () => {
    const { made, pix, id, refundId } = await aTakenRefund();
    const lagging = psp.between;
    await letTimePass(3);
    await makeDueCalls(refundCalls);
    psp.between = async ({ method }, serve) => (method === "PUT" ? problem(429, "LimiteExcedido") : serve());
    await letTimePass(3);
    await makeDueCalls(refundCalls);
    psp.between = lagging;
    await letTimePass(3);
    await makeDueCalls(refundCalls);
    expect(await statusOf(refundId)).toBe("processing");
    psp.between = undefined;
    psp.endReturn(pix.endToEndId, id);
    await letTimePass(3);
    await makeDueCalls(refundCalls);
    expect([await statusOf(refundId), await available(made)]).toEqual(["completed", 5_800]);
    expect(await reconcile()).toEqual([]);
  });

  test.each<[string, (pix: object) => unknown]>([
    ["is called back", (pix) => psp.callBack(pix)],
    [
      "is asked about again",
      () => runPrepared("t-watch", "update watches set ask_at = now() where kind = 'refund'", []),
    ],
  ])(
    "that was written as failed and made after all is completed once it %s, with what is available, also below zero",
    async (_, wakes) => {
      const { made, pix, id, refundId, saleId } = await aTakenRefund();
      await letTimePass(16);
      await makeDueCalls(refundCalls);
      expect([await statusOf(refundId), await available(made)]).toEqual(["failed", 9_800]);
      await askDue([watchCalls(...refundCalls)]);
      expect(await statusOf(refundId)).toBe("failed");
      const spent = { accountId: made.accountId, direction: "debit", amount: 9_000, reason: "Outra coisa." } as const;
      await actAs(STAFF, () => postAdjustment(spent, call()));
      psp.between = undefined;
      psp.endReturn(pix.endToEndId, id);
      await wakes(pix);
      await Promise.all([askDue([watchCalls(...refundCalls)]), askDue([watchCalls(...refundCalls)])]);
      expect([await statusOf(refundId), await available(made)]).toEqual(["completed", -3_200]);
      expect(await historyOf(made.accountId, refundId)).toEqual([
        ...["pending", "pending → approved", "approved → processing"],
        ...["processing → failed", "failed → completed"],
      ]);
      expect((await saleOf(saleId)).refundedAmount).toBe(4_000n);
      expect(await reconcile()).toEqual([]);
    },
  );

  test("that is made after all beside another of its sale takes of recipients exactly their part of both", async () => {
    const recipient = await live();
    const split = [{ user_id: recipient.clientId, percentage: 33 }];
    const { made, pix, id, saleId } = await aTakenRefund(5_100, { amount: 102, split });
    expect(await available(recipient)).toBe(3_299);
    await letTimePass(16);
    await makeDueCalls(refundCalls);
    psp.between = undefined;
    const other = await approvedOf(made, saleId, 5_100);
    psp.endReturn(pix.endToEndId, id);
    await psp.callBack(pix);
    await askDue([watchCalls(...refundCalls)]);
    expect(await available(recipient), "half of an odd number of cents").toBe(1_650);
    await makeDueCalls(refundCalls);
    psp.endReturn(pix.endToEndId, other.id);
    await letTimePass(3);
    await makeDueCalls(refundCalls);
    expect([await statusOf(other.refundId), await available(recipient)]).toEqual(["completed", 0]);
    expect(await saleOf(saleId)).toMatchObject({ status: "refunded", refundedAmount: 10_200n });
    expect(await reconcile()).toEqual([]);
  });
});

describe("a MED, of which the PSP tells by what it took", () => {
  async function aPaidSale() {
    const made = await live();
    const { identifier } = await request(made);
    const pix = psp.pay({ txid: txidOf(identifier) });
    await psp.callBack(pix);
    await completeDuePayments();
    return { made, pix };
  }
  const disputesOf = ({ accountId }: Made) => asSystem((tx) => tx.dispute.findMany({ where: { accountId } }));

  test("is a dispute that was lost, once, however often it is called back, and the money stands where the PSP has it", async () => {
    const { made, pix } = await aPaidSale();
    psp.takeBack(pix, "MED_FRAUDE", 4_000);
    for (let n = 0; n < 2; n += 1) {
      expect(await psp.callBack(pix)).toBe(200);
      await askDue([medWatch]);
    }
    expect(await disputesOf(made)).toMatchObject([
      { status: "lost", reason: "fraud", amount: 4_000n, provider: "psp" },
    ]);
    expect(await available(made)).toBe(5_800);
    expect(await reconcile()).toEqual([]);
  });

  test("whose callback never came is found by the looks of a day", async () => {
    const { made, pix } = await aPaidSale();
    psp.takeBack(pix, "MED_OPERACIONAL", 10_000);
    const midnight = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000);
    Object.assign(pix, { horario: midnight.toISOString() });
    vi.spyOn(clock, "realNow").mockImplementation(() => new Date(midnight.getTime() + 60_000));
    await lookForDisputes();
    vi.restoreAllMocks();
    await askDue([medWatch]);
    expect(await disputesOf(made)).toMatchObject([{ status: "lost", reason: "operational_flaw" }]);
    expect(await reconcile()).toEqual([]);
  });
});

describe("settings", () => {
  test.each<[string, () => object, keyof typeof providerFaults, string]>([
    ["a wrong secret", () => ({ client_secret: "other" }), "provider_client_refused", "client_id"],
    ["another key", () => ({ pix_key: "outra" }), "provider_refused", "pix_key"],
    ["another authority", () => ({ authority: otherAuthority() }), "provider_not_trusted", "authority"],
    [
      "no certificate of the client",
      () => ({ certificate: null, private_key: null }),
      ...(["provider_certificate_refused", "certificate"] as const),
    ],
  ])("with %s are not kept", async (_, changes, code, field) => {
    const base_url = psp.settings.base_url.replace("127.0.0.1", "localhost"); // another PSP's
    const error = await connect({ name: "outro", base_url, ...changes() }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    const told = [
      errors[code][1],
      ...(code === "provider_refused" ? [expect.stringContaining("O campo cob.txid")] : []),
    ];
    expect(errorBody(error, "").body).toEqual({ message: errors[code][1], error: code, errors: { [field]: told } });
    expect(await asSystem((tx) => tx.pixProvider.count())).toBe(1);
  });

  test("of a client that is connected already, or of another PSP in this one's place, are not kept, and a secret goes nowhere else", async () => {
    const faultsOf = (work: Promise<unknown>) =>
      work.then(
        () => null,
        ({ code }) => code,
      );
    const change = (changes: object) => faultsOf(actAs(STAFF, () => changeProvider({ name: "psp", ...changes })));
    expect(await faultsOf(connect({ name: "outro" }))).toBe("provider_client_connected");
    const other = psp.settings.base_url.replace("127.0.0.1", "localhost");
    expect(await change({ base_url: other })).toBe("provider_is_another");
    expect(await change({ profile: "inter" })).toBe("provider_is_another");
    const token_url = psp.settings.token_url.replace("127.0.0.1", "localhost");
    expect(await change({ token_url })).toBe("provider_secret_needed");
    expect(await change({ token_url, client_secret: psp.settings.client_secret })).toBeNull();
  });

  test("a sandbox never goes to a real rail", async () => {
    expect(railFor("sandbox")?.provider).toBe("simulator");
    expect(railFor("live")?.provider).toBe("psp");
  });
});

const otherAuthority = () => readFileSync("lib/testing/tls/other-authority.pem", "utf8");
