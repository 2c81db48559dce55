import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { actAs } from "@/lib/actor";
import { forAccount, queryOf, runPrepared } from "@/lib/db";
import { newId } from "@/lib/ids";
import { timeouts } from "@/lib/outside/http-client";
import { makeDueCalls } from "@/lib/outside/run";
import { askDue } from "@/lib/outside/watch";
import { connectProvider } from "@/lib/providers/connect";
import { readProviders } from "@/lib/rails/pix/connected";
import { railNamed } from "@/lib/rails/pix/rails";
import { reconcile } from "@/lib/reconcile/reconcile";
import { serveEfi } from "@/lib/testing/efi";
import { openHost } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { moneyOf } from "@/lib/testing/payouts";
import { letTimePass, STAFF } from "@/lib/testing/refunds";
import { historyOf } from "@/lib/testing/traces";
import { askedWithdrawal } from "@/lib/testing/withdrawals";
import { withdrawalCall } from "@/lib/withdrawals/call";
import { readKeyOwner } from "@/lib/withdrawals/key-owner";
import { payoutWatch } from "@/lib/withdrawals/payout-watch";
import { lookAtPayouts } from "@/lib/withdrawals/poll";
import { presentWithdrawal } from "@/lib/withdrawals/present";
import { findWithdrawal } from "@/lib/withdrawals/read";
import { readWithdrawalTerms } from "@/lib/withdrawals/terms";

openHost(routes.filter(({ path }) => /^\/(callbacks|simulator)\//.test(path)));
/** A provider is of all accounts, so these tests have a database of their own. */
let drop: () => Promise<void>;
let psp: Awaited<ReturnType<typeof serveEfi>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  psp = await serveEfi();
  const { callback_secret: _, ...settings } = psp.settings;
  await actAs(STAFF, () => connectProvider({ name: "efi", title: "Efí", ...settings }));
  await runPrepared("t-connected", "update pix_providers set created_at = now() - interval '60 days'", []);
  await readProviders();
});
afterAll(async () => {
  await psp.close();
  await drop();
});

const KEY = "ana@loja.example";
const usual = { ...timeouts };
let made: Made;
beforeEach(async () => {
  made = await makeAccount({ mode: "live" });
});
afterEach(async () => {
  Object.assign(timeouts, usual);
  psp.between = undefined;
  psp.refusals.clear();
  expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);
});

const ask = () => askedWithdrawal(made, { amount: 100, pix_key_type: "EMAIL", pix_key: KEY });
const send = () => makeDueCalls([withdrawalCall]);
const listen = async () => {
  while (await askDue([payoutWatch]));
};
const withdrawalOf = async (id: string) =>
  (await forAccount(made.accountId, (tx) => findWithdrawal(queryOf(tx), made.accountId, id))).withdrawal;
const hex = (id: string) => id.replaceAll("-", "");
const sent = (id: string) => psp.sent.get(hex(id));
const putsOf = (id: string) => psp.asked.filter(({ method, path }) => method === "PUT" && path.endsWith(hex(id)));
/** As where a payout was asked for and ended some minutes ago, so that no callback about it is waited for. */
const age = (id: string) => {
  const horario = sent(id)?.horario;
  const at = new Date(Date.now() - 5 * 60_000).toISOString();
  if (horario) Object.assign(horario, { solicitacao: at, ...(horario.liquidacao && { liquidacao: at }) });
};
/** What a withdrawal moves: nothing of it is available any more, and nothing is held. */
const GONE = [0, 0];

test("a withdrawal is sent once under our id, with the document of who is to have the key, and is paid when its callback comes", async () => {
  const id = await ask();
  await send();
  expect(putsOf(id).map(({ body }) => body)).toEqual([
    {
      ...{ valor: "100.00", pagador: { chave: psp.settings.pix_key } },
      favorecido: { chave: KEY, cpf: "52998224725" },
    },
  ]);
  expect(await withdrawalOf(id)).toMatchObject({ status: "accepted", provider: "efi" });
  psp.end(id, true);
  expect(await Promise.all([psp.report(id), psp.report(id)])).toEqual([200, 200]);
  await listen();
  expect(await withdrawalOf(id)).toMatchObject({ status: "paid", endToEndId: sent(id)?.endToEndId });
  expect(await moneyOf(made)).toEqual(GONE);
});

test("a withdrawal of which no answer came is found under our id and is not sent again", async () => {
  const id = await ask();
  Object.assign(timeouts, { callMs: 300, findMs: 300 });
  psp.between = async (_, serve) => void serve();
  await send();
  psp.between = undefined;
  expect((await withdrawalOf(id)).status).toBe("sending");
  await letTimePass(1);
  await send();
  expect((await withdrawalOf(id)).status).toBe("accepted");
  expect(putsOf(id)).toHaveLength(1);
});

test("two calls under one id make one payout, and both are told of it", async () => {
  const id = newId();
  const order = { id, type: "EMAIL", key: KEY, amount: 1_000, document: "11222333000181" } as const;
  const payouts = railNamed("efi")?.payouts;
  const answers = await Promise.all([payouts?.sendPayout(order), payouts?.sendPayout(order)]);
  expect(answers).toEqual([{ status: "accepted" }, { status: "accepted" }]);
  expect(sent(id)?.valor).toBe("10.00");
  psp.sent.delete(hex(id)); // it is no withdrawal of ours
});

test.each<[string, number]>([
  ["chave_nao_pertence_ao_documento", 400],
  ["chave_favorecido_nao_encontrada", 404],
  ["pagamento_negado", 422],
])("a withdrawal that the PSP refuses (%s) fails, and its money is available again", async (nome, status) => {
  psp.refusals.set(KEY, [status, nome]);
  const id = await ask();
  await send();
  expect(await withdrawalOf(id)).toMatchObject({ status: "failed", failureReason: `Recusado: ${nome}` });
  expect(await moneyOf(made)).toEqual([10_000, 0]);
  expect(sent(id)).toBeUndefined();
});

test("a withdrawal for which the PSP takes no more requests at the moment is sent later", async () => {
  psp.refusals.set(KEY, [429, "limite_de_requisicoes"]);
  const id = await ask();
  await send();
  expect((await withdrawalOf(id)).status).toBe("sending");
  psp.refusals.clear();
  await letTimePass(5);
  await send();
  expect((await withdrawalOf(id)).status).toBe("accepted");
});

test("an error of the PSP's own is no refusal: what became of it is asked", async () => {
  psp.refusals.set(KEY, [500, "erro_aplicacao"]);
  const id = await ask();
  await send();
  expect((await withdrawalOf(id)).status).toBe("sending");
  expect(await moneyOf(made)).toEqual([0, 10_000]);
  psp.refusals.clear();
  await railNamed("efi")?.payouts?.sendPayout({ id, type: "EMAIL", key: KEY, amount: 10_000, document: "52998224725" });
  await letTimePass(5);
  await send();
  expect((await withdrawalOf(id)).status).toBe("accepted");
});

describe("a withdrawal that was accepted", () => {
  let id: string;
  beforeEach(async () => {
    id = await ask();
    await send();
  });

  test("and is not done gives its money back", async () => {
    psp.end(id, false);
    await psp.report(id);
    await listen();
    expect((await withdrawalOf(id)).status).toBe("failed");
    expect(await moneyOf(made)).toEqual([10_000, 0]);
  });

  test("and comes back in parts is available again, each part once", async () => {
    psp.end(id, true);
    for (const amount of [4_000, 6_000]) {
      psp.giveBack(id, amount);
      expect(await Promise.all([psp.report(id), psp.report(id)])).toEqual([200, 200]);
      await listen();
    }
    expect((await withdrawalOf(id)).status).toBe("returned");
    expect(await historyOf(made.accountId, id)).toContain("paid → paid");
    expect(await moneyOf(made)).toEqual([10_000, 0]);
  });

  test.each([true, false])("and ends without a callback is found among what was sent: paid %s", async (isPaid) => {
    psp.end(id, isPaid);
    age(id);
    await runPrepared("t-look", "update rail_looks set look_at = now()", []);
    await lookAtPayouts();
    await listen();
    expect((await withdrawalOf(id)).status).toBe(isPaid ? "paid" : "failed");
  });
});

test("all of some days is read, page by page, in the order in which it was asked for", async () => {
  const day = 86_400_000;
  const template = {
    chave: psp.settings.pix_key,
    favorecido: { chave: KEY },
    devolucoes: [],
    status: "EM_PROCESSAMENTO",
  };
  const ids = Array.from({ length: 230 }, () => newId());
  ids.forEach((id, nth) => {
    const solicitacao = new Date(Date.now() - 10 * day + nth * 100_000).toISOString();
    psp.sent.set(hex(id), {
      ...{ ...template, idEnvio: hex(id), endToEndId: `E${"0".repeat(31)}`, valor: "1.00", horario: { solicitacao } },
    });
  });
  const found = new Set<string>();
  const payouts = railNamed("efi")?.payouts;
  let last = 0;
  for await (const one of payouts?.payoutsChangedWithin(
    new Date(Date.now() - 10 * day),
    new Date(Date.now() - 8 * day),
  ) ?? []) {
    expect(one.changedAt.getTime()).toBeGreaterThanOrEqual(last);
    last = one.changedAt.getTime();
    found.add(one.id);
  }
  expect([...found]).toEqual(ids);
  for (const id of ids) psp.sent.delete(hex(id));
});

test.each([
  ["in UTC", "2026-11-27T13:40:07Z"],
  ["with its offset", "2026-11-27T10:40:07.000-03:00"],
  ["without an offset, which is Brasília's", "2026-11-27T10:40:07"],
])("a payout has its time %s", async (_, solicitacao) => {
  const id = await ask();
  await send();
  const [status, devolucoes] = ["REALIZADO", [{ rtrId: "D1", valor: "4.00", horario: { solicitacao } }]];
  psp.between = async ({ path }, serve) => {
    const answer = serve();
    return /\/id-envio\//.test(path)
      ? { ...answer, body: { ...answer.body, horario: { solicitacao, liquidacao: null }, status, devolucoes } }
      : answer;
  };
  const at = new Date("2026-11-27T13:40:07Z");
  expect(await railNamed("efi")?.payouts?.findPayout(id)).toMatchObject({
    ...{ answer: { status: "paid", paidAt: at }, changedAt: at, returns: [{ returnedAt: at }] },
  });
});

test("nobody is told whose a key is: the seller reads so beforehand, and the withdrawal has no name", async () => {
  const owner = await readKeyOwner(made.account, { type: "EMAIL", key: KEY });
  expect(owner).toEqual({ data: { type: "EMAIL", key: KEY, name: null, document: null } });
  expect((await readWithdrawalTerms(made.account, { userId: newId(), liveId: made.accountId })).shows_owner).toBe(
    false,
  );
  const asked = { withdrawal: await withdrawalOf(await ask()), returns: [] };
  expect(presentWithdrawal(asked)).toMatchObject({ pix_key: KEY, owner_name: null, document: "52998224725" });
});
