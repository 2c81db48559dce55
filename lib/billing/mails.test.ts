import { expect, test } from "vitest";
import { dayOf, daysBetween } from "@/lib/billing/calendar";
import { findPayment } from "@/lib/checkout/status";
import { forAccount } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { changePlan } from "@/lib/subscriptions/change-plan";
import { lettersTo } from "@/lib/testing/mails";
import { call, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { makeShop } from "@/lib/testing/shop";
import { advance, anActive, aPlan, enrolledByCard, nowOf, payCode, putCard, shown } from "@/lib/testing/subscriptions";
import { lastInstant, TIME_ZONE } from "@/lib/time/calendar";

openRail();

/** The next noon in São Paulo, from where days are counted that must not depend on the hour of the test. */
const nextNoon = () => new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 15 * 3_600_000);

const templatesTo = async (email: string) => (await lettersTo(email)).map(({ template }) => template);

test("by Pix a person is written to when a charge is made, three days before, on the day, and with each fresh code", async () => {
  const made = await makeAccount();
  const email = `${newId()}@example.com`;
  await advance(made, nextNoon());
  const token = await anActive(made, await aPlan(made, { grace_period_days: 9 }), { email });
  expect(await templatesTo(email)).toEqual(["charge_due", "charge_paid"]);
  const written = async (days: number) => {
    const before = (await lettersTo(email)).length;
    await advance(made, days);
    return (await templatesTo(email)).slice(before);
  };
  const [asked, receipt] = await lettersTo(email);
  expect(asked, "whoever is asked to pay for another gets no link to cancel").toMatchObject({ payerUrl: null });
  expect(receipt).toMatchObject({ payerUrl: expect.stringContaining("/checkout/subscription/") });
  expect(await written(26)).toEqual(["charge_due"]); // made five days ahead
  expect(await written(2)).toEqual(["charge_due"]); // three days before
  expect(await written(2)).toEqual(["charge_due"]); // on the day
  expect((await lettersTo(email)).at(-1)).toMatchObject({ isDueToday: true });
  expect(await shown(made, token)).toMatchObject({ status: "active", overdue_since: null });
  expect(await written(1)).toEqual([]); // overdue
  expect(await shown(made, token)).toMatchObject({ status: "overdue", next_charge_at: null });
  expect(await written(1)).toEqual(["charge_overdue"]); // the fresh code of the second day
  expect(await written(1)).toEqual(["charge_overdue"]); // three days after
  expect(await written(4)).toEqual(["charge_overdue"]); // the fresh code of the seventh day
  const ladder = (await lettersTo(email)).slice(2);
  const said = ladder.map((one) => "notice" in one && [one.notice, one.isLast]);
  expect(said, "each says what is new, and the last one that it is the last").toEqual([
    ...[
      ["made", false],
      ["reminder", false],
      ["reminder", false],
    ],
    ...[
      ["fresh_code", false],
      ["reminder", false],
      ["fresh_code", true],
    ],
  ]);
  const { expires_at: end = "" } = (await shown(made, token)).charges[0] ?? {};
  const codeDay = dayOf(lastInstant(new Date(end)), TIME_ZONE);
  const suspendedOn = dayOf(new Date(end), TIME_ZONE);
  for (const one of ladder) expect(one).toMatchObject({ codeDay, suspendedOn, method: "qr_code" });
  expect(new Set((await lettersTo(email)).slice(2).map((one) => "payerUrl" in one && one.payerUrl))).toEqual(
    new Set([null]),
  );
  expect(await written(30)).toEqual(["subscription_suspended"]);
  await payCode(made, (await shown(made, token)).charges[0]?.payment.identifier ?? "");
  expect((await templatesTo(email)).slice(-1)).toEqual(["charge_paid"]);
});

test("by card a person is written to when it is paid, with the way out of each refusal, and of the last that it suspends", async () => {
  const made = await makeShop();
  const email = `${newId()}@example.com`;
  const { token } = await enrolledByCard(made, await aPlan(made, { billing_method: "credit_card" }), undefined, {
    email,
  });
  await putCard(made, token, "4000000000009995");
  await advance(made, 46);
  expect(await shown(made, token)).toMatchObject({ status: "suspended", retry_count: 3 });
  const letters = await lettersTo(email);
  expect(letters.map(({ template }) => template)).toEqual([
    "charge_paid",
    ...Array(3).fill("card_failed"),
    "subscription_suspended",
  ]);
  const tries = letters.flatMap((one) => (one.template === "card_failed" ? [one] : []));
  expect(tries.map(({ isLast }) => isLast)).toEqual([false, false, true]);
  const days = tries.map(({ dueDay, triedOn }) => triedOn && daysBetween(dueDay, triedOn));
  expect(days).toEqual([2, 7, 14]);
  const code = (await shown(made, token)).charges[0]?.payment.identifier;
  expect(letters.at(-1)).toMatchObject({
    amount: 4990,
    payerUrl: expect.any(String),
    url: expect.stringContaining(`payment=${code}`),
  });
});

test("the mails of an upgrade name the plan that it is to, and lead to its payment", async () => {
  const made = await makeAccount();
  const email = `${newId()}@example.com`;
  const [small, big] = [await aPlan(made), await aPlan(made, { name: "Completo", amount: "99.90" })];
  const token = await anActive(made, small, { email });
  const before = (await lettersTo(email)).length;
  const { account } = await nowOf(made);
  const { plan_change } = await changePlan(account, { id: token, new_plan_token: big, reason: null }, call());
  const id = plan_change.proration_charge?.payment.identifier ?? "";
  await payCode(made, id);
  const url = `${env.APP_URL}/checkout/${big}?payment=${id}`;
  expect((await lettersTo(email)).slice(before)).toMatchObject([
    { template: "charge_due", plan: "Completo", url },
    { template: "charge_paid", plan: "Completo", url },
  ]);
  expect((await findPayment(big, id)).status).toBe("paid");
});

test("every mail of a subscription has an intent of its own, so that none is written twice", async () => {
  const made = await makeAccount();
  const email = `${newId()}@example.com`;
  await anActive(made, await aPlan(made), { email });
  await advance(made, 70);
  const mails = await forAccount(made.accountId, (tx) => tx.mail.findMany({ where: { recipient: email } }));
  expect(new Set(mails.map(({ intent }) => intent)).size).toBe(mails.length);
  expect(mails.every(({ intent, template }) => intent.startsWith(`${template}:`))).toBe(true);
});
