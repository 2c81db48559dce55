import { expect, test } from "vitest";
import { cycleTransitions, subscriptionTransitions } from "@/lib/billing/states";
import { statusesAfter, statusesBefore } from "@/lib/states";
import { allowedActions, type Standing } from "@/lib/subscriptions/actions";

const standing = (changes: Partial<Standing>): Standing => ({
  ...{ status: "active", isPaused: false, isOwing: false, isByCard: false, isEnding: false },
  ...changes,
});

test.each([
  ["pending_first_payment", { status: "pending_first_payment", isOwing: true }, ["cancel", "resend_charge"]],
  ["pending_first_payment by card", { status: "pending_first_payment", isOwing: true, isByCard: true }, ["cancel"]],
  ["active", {}, ["cancel", "pause", "change_plan"]],
  ["active with an open charge", { isOwing: true }, ["cancel", "pause"]],
  ["active and about to end", { isEnding: true, isByCard: true }, ["cancel", "replace_card"]],
  ["active by card", { isByCard: true }, ["cancel", "pause", "change_plan", "replace_card"]],
  ["overdue", { status: "overdue", isOwing: true }, ["cancel", "pause", "resend_charge"]],
  ["suspended by dunning", { status: "suspended", isOwing: true }, ["cancel", "resend_charge"]],
  [
    "suspended by dunning, by card",
    { status: "suspended", isOwing: true, isByCard: true },
    ["cancel", "resend_charge", "replace_card"],
  ],
  ["paused", { status: "suspended", isPaused: true }, ["cancel", "reactivate"]],
  ["cancelled", { status: "cancelled", isByCard: true }, []],
] as [string, Partial<Standing>, string[]][])(
  "of a subscription that is %s a person may ask for that, and nothing else",
  (_, changes, allowed) => {
    expect(allowedActions(standing(changes))).toEqual(allowed);
  },
);

test("what is over stays over: of a cancelled subscription and a refunded charge nothing follows", () => {
  expect([statusesAfter(subscriptionTransitions, "cancelled"), statusesAfter(cycleTransitions, "refunded")]).toEqual([
    [],
    [],
  ]);
  expect(statusesBefore(subscriptionTransitions, "pending_first_payment")).toEqual([]);
});
