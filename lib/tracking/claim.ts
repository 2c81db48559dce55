import { claimInTurns, leasesOf, waitOf } from "@/lib/due/claims";
import type { DueRows } from "@/lib/due/find";
import type { Mode } from "@/prisma/client/enums";

/** An order that this worker has claimed. */
export type Claimed = { id: string; turn: string; accountId: string; eventId: string; mode: Mode; attempts: number };

/** Of a sale one order after the other, in the order of what happened, so that none is overtaken by one that failed. */
const IS_FIRST = `not exists (select from tracking_orders e where e.account_id = t.account_id
  and e.transaction_id = t.transaction_id and e.event_id < t.event_id and e.next_attempt_at is not null)`;

/** `of` and `at` are those of the index `tracking_orders_due`. */
export const dueOrders = {
  table: "tracking_orders",
  key: { account_id: "uuid", event_id: "uuid" },
  of: ["t.account_id"],
  at: "greatest(t.next_attempt_at, t.claimed_until)",
  only: `t.next_attempt_at is not null and ${IS_FIRST}`,
} as const satisfies DueRows;

/** Renews and ends a worker's claims. */
export const leases = leasesOf({
  ...{ name: "tracking", table: "tracking_orders", key: dueOrders.key, by: "claimed_by", until: "claimed_until" },
  leaseMs: 8_000,
});

/** Claims up to so many of the orders that are due; the accounts take turns. */
export const claimOrders = claimInTurns<Omit<Claimed, "turn">>({
  ...{ name: "tracking", rows: dueOrders, leases, turns: 50, ofEach: 2 },
  columns: `, t.event_id as id, t.mode, t.attempts`,
});

/** How often an order is tried: for about three days. */
export const MAX_ATTEMPTS = 20;
/** SQL: after which time it is tried again. */
export const WAIT = waitOf({ firstMs: 5_000, maxMs: 6 * 3_600_000 }, "(t.attempts + 1)");
