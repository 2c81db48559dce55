import { expect, test } from "vitest";
import { applyReceipts } from "@/lib/deposits/complete";
import { newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { PlanChange } from "@/lib/plans/schema";
import { updatePlan } from "@/lib/plans/update";
import { cancelSubscription } from "@/lib/subscriptions/cancel";
import { changePlan } from "@/lib/subscriptions/change-plan";
import { pauseSubscription, resumeSubscription } from "@/lib/subscriptions/pause";
import { resendCharge } from "@/lib/subscriptions/resend";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import {
  advance,
  anActive,
  aPlan,
  nowOf,
  payCode,
  saleOf,
  shown,
  timelineOf,
  unmatchedOf,
} from "@/lib/testing/subscriptions";

openRail();

const DAY_MS = 86_400_000;
const reason = null;
const pause = async (made: Made, token: string) =>
  pauseSubscription((await nowOf(made)).account, { id: token, reason, resumes_at: null }, call());
const resume = async (made: Made, token: string) =>
  resumeSubscription((await nowOf(made)).account, { id: token }, call());
const change = async (made: Made, token: string, plan: string) =>
  changePlan((await nowOf(made)).account, { id: token, new_plan_token: plan, reason }, call());
/** The sale of the newest charge's code. */
const codeOf = async (made: Made, token: string) => (await shown(made, token)).charges[0]?.payment.identifier ?? "";

const nextOf = async (made: Made, token: string) => Date.parse((await shown(made, token)).next_charge_at ?? "");

/** Lets the code of an upgrade lapse, at once. */
async function lapse(made: Made, token: string) {
  await advance(made, new Date(Date.parse((await shown(made, token)).charges[0]?.expires_at ?? "") + 1_000));
}

/** Completes payments of codes that arrive in one batch, in this order. Returns the sales that were completed. */
async function arriveTogether(made: Made, ids: string[]): Promise<string[]> {
  const at = Date.now();
  const payer = { name: "Ana Prado", document: "52998224725", ispb: "00000000" };
  const matches = await Promise.all(
    ids.map(async (id, place) => {
      const sale = await saleOf(made.accountId, id);
      const [endToEndId, paidAt] = [`E${newId().replaceAll("-", "")}`.slice(0, 32), new Date(at + place)];
      return {
        sale,
        ...{ shares: [], mode: "sandbox" as const, provider: "simulator" },
        receipt: { endToEndId, txid: sale.txid ?? "", amount: Number(sale.amount), payer, paidAt },
      };
    }),
  );
  const applied = await applyReceipts(matches);
  return matches.filter(({ receipt }) => applied.has(receipt.endToEndId)).map(({ sale }) => sale.id);
}

/** Pauses and resumes on the day of a charge. Returns the sale of the code that was owed. */
async function keepCode(made: Made, token: string): Promise<string> {
  await advance(made, 1);
  const sale = await codeOf(made, token);
  await pause(made, token);
  await resume(made, token);
  return sale;
}

test("codes of a cheap plan that were kept buy no day of a dear one, and their money waits for the operator", async () => {
  const made = await makeAccount({ feeBasisPoints: 0 });
  const cheap = { amount: "10.00", billing_advance_days: 29, grace_period_days: 30 };
  const token = await anActive(made, await aPlan(made, cheap));
  const kept = [await keepCode(made, token), await keepCode(made, token), await keepCode(made, token)];
  await payCode(made, await codeOf(made, token));
  await change(made, token, await aPlan(made, { ...cheap, amount: "1000.00" }));
  await payCode(made, await codeOf(made, token));
  const before = await shown(made, token);
  const { available } = await readBalances(made.accountId);

  for (const sale of kept) {
    const endToEndId = await payCode(made, sale);
    expect(await unmatchedOf(endToEndId)).toMatchObject([{ reason: "cycle_not_owed", amount: 1000n }]);
  }

  const after = await shown(made, token);
  expect(after.next_charge_at).toBe(before.next_charge_at);
  expect((await readBalances(made.accountId)).available).toBe(available);
  const items = await timelineOf(made, "subscription", token);
  const noted = items.filter(({ kind }) => kind === "unmatched");
  expect(noted.map(({ title, status, sale }) => [title, status, sale])).toEqual(
    [...kept].reverse().map((sale) => ["cycle_not_owed", "10.00", sale]),
  );
});

test("a kept code buys a period of its own plan, and none once the plan's newest terms are taken", async () => {
  const made = await makeAccount();
  const plan = await aPlan(made, { billing_advance_days: 29 });
  const token = await anActive(made, plan);
  const kept = [await keepCode(made, token), await keepCode(made, token)];
  await payCode(made, await codeOf(made, token));
  const before = await nextOf(made, token);
  await payCode(made, kept[0] ?? "");
  expect(await nextOf(made, token)).toBe(before + 30 * DAY_MS);
  await updatePlan(made.account, { ...PlanChange.parse({ amount: "59.90" }), id: plan }, call());
  await change(made, token, plan);
  await payCode(made, await codeOf(made, token));
  const endToEndId = await payCode(made, kept[1] ?? "");
  expect(await unmatchedOf(endToEndId)).toMatchObject([{ reason: "cycle_not_owed" }]);
  expect(await nextOf(made, token)).toBe(before + 30 * DAY_MS);
});

test("an upgrade that was priced for the end of a period does not buy the days that a late payment adds", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made, { billing_advance_days: 29 }));
  const kept = await keepCode(made, token);
  await payCode(made, await codeOf(made, token));
  const better = await aPlan(made, { name: "Melhor", amount: "99.90" });
  await change(made, token, better);
  const upgrade = await codeOf(made, token);
  await lapse(made, token);
  // Both arrive in one batch, the late cycle first.
  const applied = await arriveTogether(made, [kept, upgrade]);
  expect(applied).toEqual([kept]);
  expect(await shown(made, token)).toMatchObject({ status: "active", plan: { amount: "49.90" } });
});

test("a kept code and an upgrade that arrive together, the upgrade first: the code buys no day of the dear plan", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made, { billing_advance_days: 29 }));
  const kept = await keepCode(made, token);
  await payCode(made, await codeOf(made, token));
  await change(made, token, await aPlan(made, { name: "Melhor", amount: "99.90" }));
  const before = await nextOf(made, token);
  const upgrade = await codeOf(made, token);
  await lapse(made, token);
  const applied = await arriveTogether(made, [upgrade, kept]);
  expect(applied).toEqual([upgrade]);
  expect(await shown(made, token)).toMatchObject({ status: "active", plan: { amount: "99.90" } });
  expect(await nextOf(made, token)).toBe(before);
});

test("asked twice to end with what is paid, a subscription ends when that is over", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  await advance(made, 26); // its next charge is made
  const end = async () =>
    cancelSubscription((await nowOf(made)).account, { id: token, reason, at_period_end: true }, call());
  const first = await end();
  expect((await end()).data.ends_at).toBe(first.data.ends_at);
});

test("paid after a suspension, a charge buys no more than the days of its period that were not had", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made, { grace_period_days: 9, max_retry_attempts: 0 }));
  await advance(made, 62); // suspended on day 40, and a day after the second due day since
  const { charge } = await resendCharge((await nowOf(made)).account, { id: token }, call());
  await payCode(made, charge.payment.identifier ?? "");
  const days = (await nextOf(made, token)) - Date.now() - Number((await nowOf(made)).account.clockOffsetMs);
  expect(Math.ceil(days / DAY_MS)).toBe(20);
});
