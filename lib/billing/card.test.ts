import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AccountContext } from "@/lib/accounts/context";
import { addDays, dayOf, startOf } from "@/lib/billing/calendar";
import { attachCard } from "@/lib/billing/card";
import { readExpiries } from "@/lib/billing/read-expiries";
import type { LoadedSubscription } from "@/lib/billing/subscription";
import { beginChange } from "@/lib/billing/subscription-change";
import { nextTimer, runDueTimers } from "@/lib/billing/timers";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { lettersTo } from "@/lib/testing/mails";
import type { Made } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { makeShop } from "@/lib/testing/shop";
import { advance, aPlan, enrolledByCard, nowOf, putCard, shown, timelineOf } from "@/lib/testing/subscriptions";
import { lastDayOf } from "@/lib/time/calendar";
import { businessNow } from "@/lib/time/clock";

openRail();

const ZONE = "America/Sao_Paulo";
const EXPIRING = "4000000000000309";

/** Somebody who subscribes by the sandbox's card that expires, and that card's last day. */
async function subscribed() {
  const made = await makeShop();
  const email = `${newId()}@example.com`;
  const plan = await aPlan(made, { billing_method: "credit_card" });
  const { token } = await enrolledByCard(made, plan, EXPIRING, { email });
  const lastDay = (await shown(made, token)).card?.expires_on ?? "";
  const warnings = async () => (await lettersTo(email)).filter(({ template }) => template === "card_expiring");
  return { made, email, token, lastDay, warnings };
}

const before = (lastDay: string, days: number) => startOf(addDays(lastDay, -days), ZONE, 9);
const oneMinute = (instant: Date) => new Date(instant.getTime() - 60_000);

test("the holder is written to 30 and 7 days before a kept card's last day, once each; then the card is refused", async () => {
  const { made, token, lastDay, email, warnings } = await subscribed();
  const today = dayOf(businessNow((await nowOf(made)).account), ZONE);
  expect(lastDay > addDays(today, 31)).toBe(true);
  for (const [place, days] of [30, 7].entries()) {
    await advance(made, oneMinute(before(lastDay, days)));
    expect(await warnings()).toHaveLength(place);
    await advance(made, before(lastDay, days));
    expect(await warnings()).toHaveLength(place + 1);
  }
  expect((await warnings()).at(-1)).toMatchObject({ last4: "0309", expiresOn: lastDay, locale: "pt-BR" });
  const timeline = await timelineOf(made, "subscription", token);
  expect(timeline.filter(({ title }) => title === "card_expiring")).toHaveLength(2);
  expect((await shown(made, token)).status).toBe("active");
  await advance(made, startOf(addDays(lastDay, 32), ZONE));
  expect(await shown(made, token)).toMatchObject({ status: "suspended", retry_count: 0 });
  expect((await lettersTo(email)).at(-1)).toMatchObject({ template: "subscription_suspended" });
  expect(await warnings()).toHaveLength(2);
});

test("a card that was replaced is not written about, and the new one shows its own last day", async () => {
  const { made, token, lastDay, warnings } = await subscribed();
  await putCard(made, token, "4111111111111111");
  expect((await shown(made, token)).card).toMatchObject({ last4: "1111", expires_on: "2099-12-31" });
  await advance(made, startOf(addDays(lastDay, 1), ZONE));
  expect(await warnings()).toEqual([]);
  expect((await shown(made, token)).status).toBe("active");
});

/** As a release before wrote the card, which had no expiry outside of the vault. */
const keptBefore = ({ accountId }: Made, token: string) =>
  forAccount(accountId, async (tx) => {
    const key = { accountId_id: { accountId, id: token } };
    const { storedCardId } = await tx.subscription.update({ where: key, data: { cardWarnings: null, actAt: null } });
    const card = { accountId_id: { accountId, id: storedCardId ?? "" } };
    await tx.storedCard.update({ where: card, data: { expiresOn: null } });
    return card;
  });

test("the expiry of a card that was kept before is read once, and its holder is written to", async () => {
  const { made, token, lastDay, warnings } = await subscribed();
  await keptBefore(made, token);
  expect((await shown(made, token)).card?.expires_on).toBeNull();
  while (await readExpiries());
  expect((await shown(made, token)).card?.expires_on).toBe(lastDay);
  await advance(made, before(lastDay, 7));
  expect(await warnings()).toHaveLength(2);
});

test.each([
  [20, 7, 1],
  [5, 1, 0],
])("of a card that was kept before and ends in %i days the holder is written to at once", async (days, then, more) => {
  const { made, token, lastDay, warnings } = await subscribed();
  await keptBefore(made, token);
  await advance(made, before(lastDay, days));
  expect(await warnings()).toEqual([]);
  while (await readExpiries());
  await advance(made, new Date(before(lastDay, days).getTime() + 60_000));
  expect(await warnings()).toMatchObject([{ expiresOn: lastDay }]);
  await advance(made, before(lastDay, then));
  expect(await warnings()).toHaveLength(1 + more);
});

test("a kept card that nobody can decrypt any more keeps nothing waiting", async () => {
  const { made, token } = await subscribed();
  const where = await keptBefore(made, token);
  await forAccount(made.accountId, (tx) => tx.storedCard.update({ where, data: { wrappedKey: new Uint8Array(40) } }));
  while (await readExpiries());
  const key = { accountId_id: { accountId: made.accountId, id: token } };
  const row = await forAccount(made.accountId, (tx) => tx.subscription.findUniqueOrThrow({ where: key }));
  expect(row).toMatchObject({ cardWarnings: 2, actAt: expect.any(Date) });
  expect((await shown(made, token)).card?.expires_on).toBeNull();
});

describe("of a card that is given on a day", () => {
  const account = { id: newId(), timeZone: ZONE, mode: "sandbox", name: "Loja", city: null } as AccountContext;

  /** An active subscription, whose next charge is far away, with a card that was given on a day. */
  function given(day: string, changes: object = {}) {
    const whose = { id: newId(), accountId: account.id, email: "ana@example.com" };
    const subscription = { ...whose, status: "active", anchor: "2027-01-01", anchorCycle: 1, nextCycle: 2 };
    const terms = { amount: 4_990n, periodicityDays: 365, billingAdvanceDays: 0, billingMethod: "credit_card" };
    const change = beginChange({
      ...{ account, mandate: null, newOffer: null, cycle: null, card: null, now: startOf(day, ZONE, 12) },
      subscription: { ...subscription, endsAt: null, pausedAt: null, resumesAt: null, ...changes },
      offer: { plan: { id: newId(), name: "Mensal" }, terms },
    } as unknown as LoadedSubscription);
    const card = { id: newId(), brand: "visa", last4: "4242", keptAt: change.now, expiresOn: "2027-06-30" };
    attachCard(change, card);
    return change;
  }

  test.each([
    ["2027-05-30", "2027-05-31"],
    ["2027-05-31", "2027-06-23"], // its hour is past
    ["2027-06-22", "2027-06-23"],
  ])("on %s, the next mail is on %s", (day, next) => {
    expect(nextTimer(given(day))).toEqual({ name: "warnHolder", at: startOf(next, ZONE, 9) });
  });

  test("seven days before its end or later, none is sent", () => {
    expect(nextTimer(given("2027-06-23"))?.name).toBe("bill");
  });

  test("none is sent of a subscription that ends, and one is of a paused one, which is charged once it is resumed", () => {
    expect(nextTimer(given("2027-05-01", { endsAt: startOf("2027-12-01", ZONE) }))?.name).toBe("end");
    expect(nextTimer(given("2027-05-01", { status: "cancelled" }))).toBeNull();
    expect(nextTimer(given("2027-05-01", { status: "suspended" }))).toBeNull();
    const paused = { status: "suspended", pausedAt: startOf("2027-04-01", ZONE) };
    expect(nextTimer(given("2027-05-01", paused))?.name).toBe("warnHolder");
  });

  test("whenever the engine runs, each mail is written once at most, and none after the last day", () => {
    const days = fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 8 });
    fc.assert(
      fc.property(days, (runs) => {
        const change = given("2027-04-01");
        for (const day of [...runs].sort((one, other) => one - other)) {
          const known = change.mails.length;
          change.now = startOf(addDays("2027-04-01", day), ZONE, 12);
          runDueTimers(change);
          expect(change.mails.length - known).toBeLessThanOrEqual(dayOf(change.now, ZONE) <= "2027-06-30" ? 1 : 0);
        }
        expect(new Set(change.mails.map(({ intent }) => intent)).size).toBe(change.mails.length);
        expect(change.mails.length).toBeLessThanOrEqual(2);
      }),
    );
  });
});

test("a card's month ends with its last day, also in February", () => {
  expect(["2027-02", "2028-02", "2030-12", "2030-04"].map(lastDayOf)).toEqual([
    ...["2027-02-28", "2028-02-29", "2030-12-31", "2030-04-30"],
  ]);
});
