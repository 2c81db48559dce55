import { describe, expect, test } from "vitest";
import type { AccountContext } from "@/lib/accounts/context";
import { startOf } from "@/lib/billing/calendar";
import type { LoadedSubscription } from "@/lib/billing/subscription";
import { beginChange } from "@/lib/billing/subscription-change";
import type { Cycle, Subscription } from "@/lib/billing/tables";
import { nextTimer } from "@/lib/billing/timers";
import { newId } from "@/lib/ids";

const ZONE = "America/Sao_Paulo";
const on = (day: string, hour?: number) => startOf(day, ZONE, hour);

const account = { id: newId(), timeZone: ZONE, mode: "sandbox", name: "Loja", city: null } as AccountContext;

/** A monthly plan, charged five days ahead, with three days of grace. */
const terms = { amount: 4_990n, periodicityDays: 30, billingAdvanceDays: 5, gracePeriodDays: 3, maxRetryAttempts: 3 };
type Method = "qr_code" | "credit_card";

/** Active since 1 January 2027, its second cycle due on the 31st. */
const subscription = {
  ...{ id: newId(), accountId: account.id, status: "active", anchor: "2027-01-01", anchorCycle: 1, nextCycle: 2 },
  ...{ endsAt: null, pausedAt: null, resumesAt: null, cycleId: null },
} as unknown as Subscription;

const cycle = {
  ...{ id: newId(), kind: "cycle", number: 2, status: "pending", amount: 4_990n, dueAt: on("2027-01-31") },
  ...{ expiresAt: on("2027-02-03"), chargingSaleId: null, retries: 0, retryAt: null, reminders: 3, codeSaleId: null },
} as unknown as Cycle;

function stepOf(changes: Partial<Subscription>, owed: Partial<Cycle> | null, method: Method = "qr_code") {
  const loaded = {
    ...{ account, mandate: null, newOffer: null, now: on("2027-01-10") },
    subscription: { ...subscription, ...changes },
    cycle: owed && { ...cycle, ...owed },
    offer: { plan: { id: newId() }, terms: { ...terms, billingMethod: method } },
  } as unknown as LoadedSubscription;
  const step = nextTimer(beginChange(loaded));
  return step && [step.name, step.at.toISOString()];
}

const at = (name: string, day: string, hour?: number) => [name, on(day, hour).toISOString()];

describe("what falls due next", () => {
  test.each([
    ["the charge of the next cycle, days ahead", {}, null, at("bill", "2027-01-26")],
    ["the midnight that ends the due day of what is owed", {}, {}, at("fallDue", "2027-02-01")],
    ["a reminder before that", {}, { reminders: 0 }, at("remind", "2027-01-28", 9)],
    ["a reminder on the due day, on which it is in time", {}, { reminders: 1 }, at("remind", "2027-01-31", 9)],
    ["the end of what is paid, and no further charge", { endsAt: on("2027-01-31") }, null, at("end", "2027-01-31")],
    ["the end of an upgrade's code", {}, { kind: "upgrade" as const }, at("dropUpgrade", "2027-02-03")],
  ])("of an active subscription: %s", (_, changes, owed, step) => {
    expect(stepOf(changes, owed)).toEqual(step);
  });

  test.each([
    [
      "the end of the code of the first charge",
      { status: "pending_first_payment" as const },
      {},
      at("expire", "2027-02-03"),
    ],
    ["the end of the grace", { status: "overdue" as const }, {}, at("suspend", "2027-02-03")],
    [
      "a fresh code before that",
      { status: "overdue" as const },
      { retryAt: on("2027-02-02") },
      at("renewCode", "2027-02-02"),
    ],
    [
      "the end of the grace before a code of the same day",
      { status: "overdue" as const },
      { retryAt: on("2027-02-03") },
      at("suspend", "2027-02-03"),
    ],
    ["a reminder when overdue", { status: "overdue" as const }, { reminders: 1 }, at("remind", "2027-01-31", 9)],
    ["the end of a code when suspended", { status: "suspended" as const }, {}, at("lapse", "2027-02-03")],
    [
      "nothing when suspended with what is over",
      { status: "suspended" as const },
      { status: "expired" as const },
      null,
    ],
    ["nothing when paused without a day", { status: "suspended" as const, pausedAt: on("2027-01-09") }, null, null],
    [
      "the day on which a pause is over",
      { status: "suspended" as const, pausedAt: on("2027-01-09"), resumesAt: on("2027-03-01") },
      null,
      at("resume", "2027-03-01"),
    ],
    ["nothing of a cancelled subscription", { status: "cancelled" as const }, null, null],
  ])("by Pix: %s", (_, changes, owed, step) => {
    expect(stepOf(changes, owed)).toEqual(step);
  });

  test.each([
    ["its due day as it begins, and no reminder", {}, { reminders: 0 }, at("fallDue", "2027-01-31")],
    ["nothing while the acquirer is asked", {}, { chargingSaleId: newId() }, null],
    ["the next attempt", { status: "overdue" as const }, { retryAt: on("2027-02-07") }, at("retryCard", "2027-02-07")],
    ["nothing when a first charge waits for its answer", { status: "pending_first_payment" as const }, {}, null],
  ])("by card: %s", (_, changes, owed, step) => {
    expect(stepOf(changes, owed, "credit_card")).toEqual(step);
  });
});
