import { expect, test } from "vitest";
import { accountTransitions } from "@/lib/accounts/states";
import { statusesBefore } from "@/lib/states";
import { mayMove, type SaleTransition, transitions } from "@/lib/transactions/states";

test("a sale moves only by the transitions of the table", () => {
  const moves = Object.values(transitions).flatMap(({ from, to }) => from.map((status) => `${status} → ${to}`));
  expect(moves.sort()).toEqual(
    [
      ...["completed", "refused", "expired", "failed"].map((to) => `pending → ${to}`),
      ...["disputed", "refunded", "chargedback"].map((to) => `completed → ${to}`),
      ...["completed", "refunded", "chargedback"].map((to) => `disputed → ${to}`),
      "expired → completed",
    ].sort(),
  );
});

test("the allowed transitions depend on the status, and expiry also on the method", () => {
  const possible = (sale: Parameters<typeof mayMove>[1]) =>
    (Object.keys(transitions) as SaleTransition[]).filter((transition) => mayMove(transition, sale));
  expect(possible({ method: "pix", status: "pending" })).toEqual(["pay", "refuse", "expire", "fail"]);
  expect(possible({ method: "card", status: "pending" })).toEqual(["pay", "refuse", "fail"]);
  expect(possible({ method: "pix", status: "expired" })).toEqual(["pay"]);
  expect(possible({ method: "card", status: "disputed" })).toEqual(["win", "refund", "chargeback"]);
  expect(possible({ method: "card", status: "refused" })).toEqual([]);
  expect(possible({ method: "card", status: "refunded" }), "its money is not blocked again by a chargeback").toEqual(
    [],
  );
});

test("the statuses before another are those that may move to it", () => {
  expect(statusesBefore(accountTransitions, "suspended")).toEqual(["pending", "approved"]);
});
