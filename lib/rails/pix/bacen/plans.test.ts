import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { actAs } from "@/lib/actor";
import { billDue } from "@/lib/billing/bill-due";
import { forAccount } from "@/lib/db";
import { completeDuePayments } from "@/lib/deposits/complete";
import { newAlphanumeric } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { mandateCall } from "@/lib/mandates/offer-call";
import { debitWatch, mandateWatch } from "@/lib/mandates/report";
import { subscriptionCalls } from "@/lib/mandates/subscription-calls";
import { resolveCall } from "@/lib/outside/calls";
import { makeDueCalls } from "@/lib/outside/run";
import { askDue } from "@/lib/outside/watch";
import { changeProvider, connectProvider } from "@/lib/providers/connect";
import type { DynamicCodes, PixRail } from "@/lib/rails/pix/port";
import { railFor } from "@/lib/rails/pix/rails";
import { reconcile } from "@/lib/reconcile/reconcile";
import { problem, serveApiPix } from "@/lib/testing/api-pix";
import { openHost } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { STAFF } from "@/lib/testing/refunds";
import { aPlan, enrolled, eventsOf, nowOf, saleOf, shown } from "@/lib/testing/subscriptions";
import { businessNow } from "@/lib/time/clock";

openHost(routes.filter(({ path }) => /^\/(callbacks|simulator)\//.test(path)));
let drop: () => Promise<void>;
let psp: Awaited<ReturnType<typeof serveApiPix>>;
beforeAll(async () => {
  drop = await openOwnDatabase(); // a provider is of all accounts
  psp = await serveApiPix();
  const { callback_secret: _, ...settings } = psp.settings;
  await actAs(STAFF, () => connectProvider({ name: "psp", title: "PSP", ...settings }));
});
afterAll(async () => {
  await psp.close();
  await drop();
});

const HOUR_MS = 3_600_000;
/** How far the clocks go at once: an order for the next day is given in the evening before. */
const STEP_HOURS = 6;
const bill = billDue();

/** Does all that is due, at our side and at the PSP's. */
async function work() {
  while (await bill());
  while (await makeDueCalls(subscriptionCalls));
  await psp.automatic.notify();
  while (await completeDuePayments());
  await askDue([mandateWatch, debitWatch]);
}

/** Lets days pass for a live account and for its PSP, as if they were real ones. */
async function live(made: Made, days: number) {
  for (let hours = 0; hours < days * 24; hours += STEP_HOURS) {
    await forAccount(made.accountId, (tx) =>
      tx.account.update({
        where: { id: made.accountId },
        data: { clockOffsetMs: { increment: STEP_HOURS * HOUR_MS } },
      }),
    );
    const at = businessNow((await nowOf(made)).account);
    psp.automatic.clock.at = at;
    await work();
    await psp.automatic.payer.passDays([...psp.automatic.recs.keys()], at);
    await work();
  }
}

const automatic = { billing_method: "pix_automatico", periodicity_days: 7, billing_advance_days: 3 };

/** A subscription of a live account whose payer has paid and authorised by one code. */
async function anActive() {
  const made = await makeAccount({ mode: "live", feeBasisPoints: 0 });
  psp.automatic.clock.at = undefined;
  const { token, sale } = await enrolled(made, await aPlan(made, automatic));
  const { pixCode } = await saleOf(made.accountId, sale);
  psp.automatic.payCode({ code: pixCode ?? "" });
  await work();
  const [mandateId = ""] = [...psp.automatic.recs.keys()].slice(-1);
  return { made, token, mandateId };
}

const available = ({ accountId }: Made) => readBalances(accountId).then((balances) => balances.available);

test("a live account's plan: one code pays and authorises, the next cycle is debited, and the payer cancels", async () => {
  const { made, token, mandateId } = await anActive();
  expect(await shown(made, token)).toMatchObject({ status: "active", mandate: { status: "approved" } });

  await live(made, 5);
  expect((await shown(made, token)).charges).toMatchObject([{ cycle_number: 2, status: "pending" }, {}]);
  await live(made, 3);
  expect(await shown(made, token)).toMatchObject({
    status: "active",
    charges: [{ status: "paid" }, { status: "paid" }],
  });
  expect(await available(made)).toBe(9_980);

  await psp.automatic.payer.cancel(mandateId);
  await work();
  expect(await shown(made, token)).toMatchObject({ mandate: { status: "cancelled" } });
  expect(await eventsOf(made, token)).toContain("mandate.cancelled");
  expect(await reconcile()).toEqual([]);
});

test("a debit that fails for want of money is asked for again, and paid once there is some", async () => {
  const { made, token, mandateId } = await anActive();
  await psp.automatic.payer.setAccount(mandateId, "none");
  await live(made, 8);
  expect(await shown(made, token)).toMatchObject({ status: "overdue", charges: [{ status: "pending" }, {}] });
  await psp.automatic.payer.setAccount(mandateId, "enough");
  await live(made, 2);
  expect(await shown(made, token)).toMatchObject({ status: "active", charges: [{ status: "paid" }, {}] });
  const [cobr] = [...psp.automatic.cobrs.values()].filter(({ doc }) => doc.idRec === mandateId);
  expect(cobr?.doc.tentativas).toMatchObject([
    { tipo: "AGND", status: "EXPIRADA" },
    { tipo: "NTAG", status: "PAGA" },
  ]);
  expect(cobr?.recebedor).toEqual(psp.settings.account);
  expect(await available(made)).toBe(9_980);
  expect(await reconcile()).toEqual([]);
});

test("an offer whose answer is lost is found among the debtor's mandates, and made once", async () => {
  const made = await makeAccount({ mode: "live", feeBasisPoints: 0 });
  psp.automatic.clock.at = undefined;
  const before = psp.automatic.recs.size;
  psp.between = async ({ method, path }, serve) => {
    const answer = serve();
    return method === "POST" && path === "/rec" ? undefined : answer;
  };
  await expect(enrolled(made, await aPlan(made, automatic))).rejects.toMatchObject({ code: "deposit_pending" });
  psp.between = undefined;
  const theSale = () =>
    forAccount(made.accountId, (tx) => tx.transaction.findFirstOrThrow({ where: { accountId: made.accountId } }));
  await resolveCall(mandateCall, { accountId: made.accountId, id: (await theSale()).id });
  expect(psp.automatic.recs.size).toBe(before + 1);
  expect(await theSale()).toMatchObject({ status: "pending", pixCode: expect.stringMatching(/^000201/) });
});

test("without an account at the PSP there is no Pix Automático, from the next request on", async () => {
  expect(railFor("live")?.automatic).toBeDefined();
  await actAs(STAFF, () => changeProvider({ name: "psp", account: null }));
  expect(railFor("live")?.automatic).toBeUndefined();
  await actAs(STAFF, () => changeProvider({ name: "psp", account: psp.settings.account }));
  expect(railFor("live")?.automatic).toBeDefined();
});

describe("a plan by code", () => {
  const byCode = { billing_method: "qr_code", periodicity_days: 7, billing_advance_days: 3 };

  /** A subscription whose first charge is paid, and whose second one has a code by now, due in some days. */
  async function aSecondCharge() {
    const made = await makeAccount({ mode: "live", feeBasisPoints: 0 });
    psp.automatic.clock.at = undefined;
    const { token, sale } = await enrolled(made, await aPlan(made, byCode));
    await psp.callBack(psp.pay({ txid: sale.replaceAll("-", "") }));
    await work();
    await live(made, 5);
    const [charge] = (await shown(made, token)).charges;
    return { made, token, first: sale, charge };
  }

  test("has charges that say their due day and who owes them, and is paid by them", async () => {
    const { made, token, first, charge } = await aSecondCharge();
    const txid = charge?.payment.identifier?.replaceAll("-", "") ?? "";
    const [asked, other] = [txid, first.replaceAll("-", "")].map((one) =>
      psp.asked.filter(({ method, path }) => method === "PUT" && path.endsWith(one)),
    );
    expect(other, "what is due today is paid at once").toMatchObject([{ path: expect.stringMatching(/^\/cob\//) }]);
    expect(asked).toMatchObject([
      {
        path: `/cobv/${txid}`,
        body: {
          calendario: { dataDeVencimento: charge?.due_date, validadeAposVencimento: expect.any(Number) },
          devedor: { cpf: "52998224725", nome: "Ana Prado" },
          valor: { original: "49.90" },
        },
      },
    ]);
    expect(charge).toMatchObject({ status: "pending", payment: { pix_code: expect.stringMatching(/^000201/) } });
    for (const one of [txid, first.replaceAll("-", "")])
      expect(await rail().findCode({ txid: one, amount: 4_990 })).toMatchObject({ status: "issued" });
    expect(await rail().findCode({ txid: newAlphanumeric(32), amount: 4_990 })).toBeNull();

    await psp.callBack(psp.pay({ txid }));
    await work();
    expect(await shown(made, token)).toMatchObject({ status: "active", charges: [{ status: "paid" }, {}] });
    expect(await available(made)).toBe(9_980);
  });

  test("has other charges where the PSP makes none with a due day", async () => {
    psp.between = async ({ path }, serve) => (path.startsWith("/cobv/") ? problem(403, "AcessoNegado") : serve());
    onTestFinished(() => {
      psp.between = undefined;
    });
    const { charge } = await aSecondCharge();
    expect(charge).toMatchObject({ status: "pending", payment: { pix_code: expect.stringMatching(/^000201/) } });
    expect(psp.cobs.get(charge?.payment.identifier?.replaceAll("-", "") ?? "")).toMatchObject({ amount: "49.90" });
  });

  const rail = () => railFor("live") as PixRail & DynamicCodes;
});
