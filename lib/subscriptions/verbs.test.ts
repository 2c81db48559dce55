import { describe, expect, test } from "vitest";
import { billDue } from "@/lib/billing/bill-due";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Idem, type Intent, replayOf } from "@/lib/idempotency";
import { newId, sha256 } from "@/lib/ids";
import { cancelSubscription } from "@/lib/subscriptions/cancel";
import { changePlan, previewPlanChange } from "@/lib/subscriptions/change-plan";
import { enroll } from "@/lib/subscriptions/enroll";
import { pauseSubscription, resumeSubscription } from "@/lib/subscriptions/pause";
import { replaceCard } from "@/lib/subscriptions/replace-card";
import { resendCharge } from "@/lib/subscriptions/resend";
import { call, type Made } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { aToken, makeShop } from "@/lib/testing/shop";
import {
  advance,
  anActive,
  aPlan,
  chargeCards,
  device,
  enrolled,
  enrolledByCard,
  eventsOf,
  nowOf,
  payCode,
  putCard,
  saleOf,
  shown,
  somebody,
} from "@/lib/testing/subscriptions";

openRail();

const byCard = { billing_method: "credit_card" };

/** An action on a subscription that is made for it: how often it counts when two ask at once, and what it leaves. */
type Case = {
  make(made: Made): Promise<string>;
  /** Makes a call, that may be repeated. */
  ask(made: Made, token: string): Promise<(intent: Intent) => Promise<unknown>>;
  counts: 1 | 2;
  /** The code of the other answer. */
  other?: string;
  /** The events of one call. */
  events: readonly string[];
};

const asked =
  (verb: (account: Made["account"], input: { id: string }, intent: Intent) => Promise<unknown>): Case["ask"] =>
  async (made, token) => {
    const { account } = await nowOf(made);
    return (intent) => verb(account, { id: token }, intent);
  };
const reason = null;

const cases: Record<string, Case> = {
  cancel: {
    make: async (made) => anActive(made, await aPlan(made)),
    ask: asked((account, { id }, intent) => cancelSubscription(account, { id, reason, at_period_end: false }, intent)),
    ...{ counts: 1, other: "invalid_transition", events: ["subscription.cancelled"] },
  },
  pause: {
    make: async (made) => anActive(made, await aPlan(made)),
    ask: asked((account, { id }, intent) => pauseSubscription(account, { id, reason, resumes_at: null }, intent)),
    ...{ counts: 1, other: "invalid_transition", events: ["subscription.suspended"] },
  },
  resume: {
    async make(made) {
      const token = await anActive(made, await aPlan(made));
      await pauseSubscription(made.account, { id: token, reason, resumes_at: null }, call());
      return token;
    },
    ask: asked(resumeSubscription),
    ...{ counts: 1, other: "invalid_transition", events: ["subscription.reactivated"] },
  },
  resend: {
    make: async (made) => (await enrolled(made, await aPlan(made))).token,
    ask: asked(resendCharge),
    ...{ counts: 2, events: ["cycle.created"] },
  },
  "change of plan upwards": {
    make: async (made) => anActive(made, await aPlan(made)),
    async ask(made, token) {
      const better = await aPlan(made, { name: "Melhor", amount: "99.90" });
      return (intent) => changePlan(made.account, { id: token, new_plan_token: better, reason }, intent);
    },
    ...{ counts: 1, other: "open_charge_exists", events: ["cycle.created"] },
  },
  "change of plan downwards": {
    make: async (made) => anActive(made, await aPlan(made)),
    async ask(made, token) {
      const cheaper = await aPlan(made, { name: "Menor", amount: "9.90" });
      return (intent) => changePlan(made.account, { id: token, new_plan_token: cheaper, reason }, intent);
    },
    ...{ counts: 2, events: [] },
  },
  "replacement of a card": {
    make: async (made) => (await enrolledByCard(made, await aPlan(made, byCard))).token,
    async ask(made, token) {
      const card = { token: await aToken(made) };
      return (intent) => replaceCard(made.account, { id: token, card, device }, intent);
    },
    ...{ counts: 1, other: "DUPLICATE_CARD_TOKEN", events: [] },
  },
};

test("an upgrade whose difference is above the largest amount is refused, before and when it is asked for, and changes nothing", async () => {
  const made = await makeShop();
  const token = await anActive(made, await aPlan(made));
  const daily = await aPlan(made, { name: "Diário", amount: "9999999999.99", periodicity_days: 1 });
  const before = [await shown(made, token), await eventsOf(made, token)];
  const ask = [
    previewPlanChange(made.account, token, daily),
    changePlan(made.account, { id: token, new_plan_token: daily, reason: null }, call()),
  ];
  const refused = (await Promise.allSettled(ask)).map(
    (answer) => answer.status === "rejected" && codeOf(answer.reason),
  );
  expect(refused).toEqual(["proration_above_maximum", "proration_above_maximum"]);
  expect([await shown(made, token), await eventsOf(made, token)]).toEqual(before);
});

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : error);

describe.each(Object.entries(cases))("a %s", (_, { make, ask, counts, other, events }) => {
  test("that two ask for at once counts as one after the other", async () => {
    const made = await makeShop();
    const token = await make(made);
    const before = (await eventsOf(made, token)).length;
    const verb = await ask(made, token);
    const answers = await Promise.allSettled([verb(call()), verb(call())]);
    const refused = answers.flatMap((answer) => (answer.status === "rejected" ? [codeOf(answer.reason)] : []));
    expect(refused).toEqual(counts === 1 ? [other] : []);
    expect((await eventsOf(made, token)).slice(before)).toEqual(Array(counts).fill(events).flat());
    expect((await openCodes(made, token)).length).toBeLessThanOrEqual(1);
  });

  test("that is repeated under its key, at once and later, counts once and is answered alike", async () => {
    const made = await makeShop();
    const token = await make(made);
    const before = (await eventsOf(made, token)).length;
    const verb = await ask(made, token);
    const idem = keyed(made);
    const answered = () => verb({ ...call(), idem }).then((answer) => JSON.stringify(answer), bodyOf);
    const answers = [...(await Promise.all([answered(), answered()])), await answered()];
    expect(new Set(answers).size).toBe(1);
    expect((await eventsOf(made, token)).slice(before)).toEqual(events);
  });
});

const bodyOf = (error: unknown) => replayOf(error)?.body ?? Promise.reject(error);
const keyed = ({ accountId }: Made): Idem => ({
  ...{ accountId, key: newId(), requestHash: sha256("the request") },
  render: (answer) => ({ status: 200, body: JSON.stringify(answer) }),
});

const openCodes = ({ accountId }: Made, subscriptionId: string) =>
  forAccount(accountId, (tx) =>
    tx.transaction.findMany({ where: { subscriptionId, method: "pix", status: "pending" } }),
  );

test.each([
  ["by Pix", {}],
  ["by card", byCard],
])("an enrolment %s that is repeated under its key is one subscription", async (_, method) => {
  const made = await makeShop();
  const plan = await aPlan(made, method);
  const card = { token: await aToken(made) };
  const idem = keyed(made);
  const person = somebody("billing_method" in method ? { card, device } : {});
  const answered = () =>
    enroll(made.account, { ...person, planId: plan }, { ...call(), idem }).then(
      (answer) => JSON.stringify(answer),
      bodyOf,
    );
  const answers = [...(await Promise.all([answered(), answered()])), await answered()];
  expect(new Set(answers.map((answer) => JSON.parse(answer).subscription_token)).size).toBe(1);
  expect(await forAccount(made.accountId, (tx) => tx.subscription.count())).toBe(1);
});

test("the same person who enrols twice at once has two subscriptions and is one subscriber", async () => {
  const made = await makeShop();
  const plan = await aPlan(made);
  await Promise.all([enrolled(made, plan), enrolled(made, plan)]);
  const [people, subscriptions] = await forAccount(made.accountId, (tx) =>
    Promise.all([tx.subscriber.count(), tx.subscription.count()]),
  );
  expect([people, subscriptions]).toEqual([1, 2]);
});

test("a card without the device that gave it is refused, and its token can still be spent", async () => {
  const made = await makeShop();
  const { token } = await enrolledByCard(made, await aPlan(made, byCard));
  const card = { token: await aToken(made) };
  const refused = replaceCard(made.account, { id: token, card, device: null }, call());
  await expect(refused).rejects.toMatchObject({
    code: "validation_failed",
    options: { faults: { device: [/dispositivo/] } },
  });
  expect((await replaceCard(made.account, { id: token, card, device }, call())).data.status).toBe("active");
});

test("two workers that bill at once make each charge once", async () => {
  const made = await makeShop();
  const plan = await aPlan(made);
  const tokens = await Promise.all(Array.from({ length: 8 }, () => anActive(made, plan)));
  await forAccount(made.accountId, (tx) =>
    tx.account.update({ where: { id: made.accountId }, data: { clockOffsetMs: 26n * 86_400_000n } }),
  );
  await Promise.all(Array.from({ length: 4 }, () => billDue()(made.accountId)));
  while (await billDue()(made.accountId));
  for (const token of tokens) {
    expect((await shown(made, token)).charges.map(({ cycle_number }) => cycle_number)).toEqual([2, 1]);
  }
});

test("a card that two workers charge at once is charged once", async () => {
  const made = await makeShop({ feeBasisPoints: 0 });
  const { token } = await enrolledByCard(made, await aPlan(made, byCard));
  await forAccount(made.accountId, (tx) =>
    tx.account.update({ where: { id: made.accountId }, data: { clockOffsetMs: 31n * 86_400_000n } }),
  );
  await billDue()(made.accountId);
  await Promise.all(Array.from({ length: 4 }, () => chargeCards(made.accountId)));
  expect((await shown(made, token)).charges).toMatchObject([{ cycle_number: 2, status: "paid" }, { status: "paid" }]);
  expect(await eventsOf(made, token)).toEqual([
    ...["subscription.created", "cycle.created", "cycle.paid", "subscription.activated"],
    ...["cycle.created", "cycle.paid", "subscription.renewed"],
  ]);
});

test("a payment by Pix that arrives while the card is replaced pays the cycle once", async () => {
  const made = await makeShop({ feeBasisPoints: 0 });
  const { token } = await enrolledByCard(made, await aPlan(made, byCard));
  await putCard(made, token, "4000000000009995");
  await advance(made, 31);
  const [owed] = (await shown(made, token)).charges;
  const code = owed?.payment.identifier ?? "";
  await putCard(made, token, "4111111111111111");
  await Promise.all([payCode(made, code), chargeCards(made.accountId)]);
  expect((await shown(made, token)).charges).toMatchObject([{ cycle_number: 2, status: "paid" }, { status: "paid" }]);
  const sales = await forAccount(made.accountId, (tx) =>
    tx.transaction.findMany({ where: { subscriptionId: token, status: "completed" } }),
  );
  expect(sales).toHaveLength(2);
  expect(["completed", "expired"]).toContain((await saleOf(made.accountId, code)).status);
});
