import { describe, expect, test } from "vitest";
import { actAs } from "@/lib/actor";
import { cancelAsPayer } from "@/lib/checkout/act-as-payer";
import { findPayment } from "@/lib/checkout/status";
import { forAccount } from "@/lib/db";
import { openEvent } from "@/lib/events/subjects";
import { newId } from "@/lib/ids";
import { cancelSubscription } from "@/lib/subscriptions/cancel";
import { pauseSubscription } from "@/lib/subscriptions/pause";
import { lettersTo } from "@/lib/testing/mails";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { makeShop } from "@/lib/testing/shop";
import {
  advance,
  anActive,
  aPlan,
  enrolled,
  enrolledByCard,
  eventsOf,
  nowOf,
  payCode,
  putCard,
  shown,
  timelineOf,
} from "@/lib/testing/subscriptions";

openRail();

const ends = ["subscription_ending", "subscription_cancelled", "subscription_suspended"];
const toSeller = ["cancelled_by_payer", "suspensions_of_day"];

/** What an address was written about ends. */
const endsTo = async (email: string) =>
  (await lettersTo(email)).filter(({ template }) => [...ends, ...toSeller].includes(template));

/** A subscription of R$ 49.90 that is paid, and the addresses of its subscriber and its seller. */
async function paid(changes: object = {}) {
  const made = await makeAccount();
  const email = `${newId()}@example.com`;
  const token = await anActive(made, await aPlan(made, changes), { email });
  return { made, token, email, seller: made.email };
}

const cancelByPayer = async (made: Made, id: string) => cancelAsPayer((await nowOf(made)).account, { id }, call());

async function cancelBySeller(made: Made, token: string, at_period_end: boolean) {
  const { account } = await nowOf(made);
  const cancel = () => cancelSubscription(account, { id: token, reason: null, at_period_end }, call());
  return actAs({ kind: "credential", id: made.clientId }, cancel);
}

describe("an end is written about", () => {
  test("to payer and seller where the payer asks for it, and to the payer once more when it has come", async () => {
    const { made, token, email, seller } = await paid();
    await cancelByPayer(made, token);
    const [mail] = await endsTo(email);
    const lastDay = expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/);
    expect(mail).toMatchObject({ template: "subscription_ending", by: "payer", lastDay, dropped: null });
    const path = `/${made.accountId}/subscriptions/${token}`;
    expect(await endsTo(seller)).toMatchObject([
      { template: "cancelled_by_payer", amount: 4990, name: "Ana Prado", lastDay, url: expect.stringContaining(path) },
    ]);
    await cancelBySeller(made, token, true);
    expect(await endsTo(email), "asking twice changes nothing").toHaveLength(1);
    await advance(made, 32);
    expect((await endsTo(email)).slice(1)).toMatchObject([{ template: "subscription_cancelled", by: null }]);
    expect(await endsTo(seller), "who was written to already").toHaveLength(1);
  });

  test("to the payer alone where the seller asks for it, with the charge that need not be paid any more", async () => {
    const { made, token, email, seller } = await paid({ billing_advance_days: 10 });
    await advance(made, 25);
    await cancelBySeller(made, token, true);
    await cancelBySeller(made, token, false);
    expect(await endsTo(email)).toMatchObject([
      { template: "subscription_ending", by: "seller", dropped: 4990 },
      { template: "subscription_cancelled", by: "seller", dropped: null },
    ]);
    expect(await endsTo(seller)).toEqual([]);
  });

  test("to who was asked for a first charge, and to nobody whose address a visitor typed", async () => {
    const made = await makeAccount();
    const plan = await aPlan(made);
    const [asked, typed] = [`${newId()}@example.com`, `${newId()}@example.com`];
    const { token } = await enrolled(made, plan, { email: asked });
    await cancelBySeller(made, token, false);
    expect(await endsTo(asked)).toMatchObject([{ template: "subscription_cancelled", by: "seller", dropped: 4990 }]);
    const visitor = await enrolled(made, plan, { email: typed, document: "111.444.777-35" });
    await forAccount(made.accountId, (tx) =>
      tx.subscription.update({
        where: { accountId_id: { accountId: made.accountId, id: visitor.token } },
        data: { byVisitor: true },
      }),
    );
    await cancelByPayer(made, visitor.token);
    expect(await shown(made, visitor.token)).toMatchObject({ status: "cancelled" });
    expect([await endsTo(typed), await endsTo(made.email)]).toEqual([[], []]);
  });

  test("and not where a first charge was never paid, or the seller pauses", async () => {
    const { made, token, email, seller } = await paid();
    const never = `${newId()}@example.com`;
    await enrolled(made, await aPlan(made), { email: never, document: "111.444.777-35" });
    await pauseSubscription((await nowOf(made)).account, { id: token, reason: null, resumes_at: null }, call());
    await advance(made, 40);
    expect([await endsTo(email), await endsTo(never), await endsTo(seller)]).toEqual([[], [], []]);
  });
});

describe("a suspension for lack of payment is written about", () => {
  test("to the payer by Pix, who may pass the mail on, and its link leads to a code that pays", async () => {
    const { made, token, email } = await paid({ grace_period_days: 1 });
    await advance(made, 34);
    const [mail] = await endsTo(email);
    expect(mail).toMatchObject({
      template: "subscription_suspended",
      method: "qr_code",
      payerUrl: null,
      codeDay: null,
    });
    const { charges, plan } = await shown(made, token);
    const id = charges[0]?.payment.identifier ?? "";
    expect(mail).toMatchObject({ url: expect.stringContaining(`/checkout/${plan.token}?payment=${id}`) });
    expect((await findPayment(plan.token, id)).isOwed, "another code is made there").toBe(true);
  });

  test("to the payer by card, in place of one more refusal, with a code and the page to change the card", async () => {
    const made = await makeShop();
    const email = `${newId()}@example.com`;
    const plan = await aPlan(made, { billing_method: "credit_card" });
    const { token } = await enrolledByCard(made, plan, undefined, { email });
    await putCard(made, token, "4000000000009979"); // refused for good
    await advance(made, 31);
    expect(await shown(made, token)).toMatchObject({ status: "suspended" });
    expect((await lettersTo(email)).slice(1)).toMatchObject([
      {
        ...{ template: "subscription_suspended", method: "credit_card", codeDay: expect.any(String) },
        payerUrl: expect.stringContaining("/checkout/subscription/"),
      },
    ]);
    await payCode(made, (await shown(made, token)).charges[0]?.payment.identifier ?? "");
    expect(await shown(made, token)).toMatchObject({ status: "active" });
  });

  test("to the seller once a day, however many are suspended", async () => {
    const made = await makeAccount();
    const plan = await aPlan(made, { grace_period_days: 1 });
    const documents = ["529.982.247-25", "111.444.777-35", "390.533.447-05"];
    for (const document of documents) await anActive(made, plan, { document, email: `${newId()}@example.com` });
    await advance(made, 1);
    await anActive(made, plan, { document: "123.456.789-09", email: `${newId()}@example.com` });
    await advance(made, 40);
    const mails = await endsTo(made.email);
    expect(mails).toMatchObject([
      { template: "suspensions_of_day", count: 3, plan: "Mensal" },
      { template: "suspensions_of_day", count: 1, url: expect.stringContaining("overdue?status=suspended") },
    ]);
    const days = mails.map((mail) => "day" in mail && mail.day);
    expect(new Set(days).size).toBe(2);
  });
});

test("the timeline says that an end was asked for and by whom, and no webhook gets what the interface has no name for", async () => {
  const { made, token } = await paid();
  await cancelByPayer(made, token);
  await cancelByPayer(made, token);
  expect((await eventsOf(made, token)).filter((type) => type === "subscription.ending")).toHaveLength(1);
  const happened = await timelineOf(made, "subscription", token);
  const asked = happened.find(({ title }) => title === "subscription.ending");
  expect(asked).toMatchObject({ kind: "event", detail: "payer" });
  expect(happened.map(({ title }) => title)).toContain("subscription_ending");
  const event = await forAccount(made.accountId, (tx) =>
    tx.event.findFirstOrThrow({ where: { subjectId: token, type: "subscription.ending" } }),
  );
  expect(openEvent(event).subscriptions).toEqual([]);
  await cancelBySeller(made, token, false);
  const ended = (await timelineOf(made, "subscription", token)).find(({ title }) => title === "subscription.cancelled");
  expect(ended).toMatchObject({ detail: "seller" });
});
