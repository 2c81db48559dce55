/** Who consumes events (`lib/jobs/registry.ts` says how). Each has a place of its own among them. */
export type ConsumerName =
  | "deliveries"
  | "counts"
  | "earnings"
  | "storage"
  | "receipts"
  | "oversold_mails"
  | "refunds"
  | "refund_mails"
  | "disputes"
  | "withdrawal_mails"
  | "tracking"
  | "audit";

/** Who links events to their account's chain, which is all that happens with a change by hand. */
export const LINKED_BY = "audit" satisfies ConsumerName;

/**
 * SQL: the events (account_id, event_id) that a consumer has not consumed yet, of those for which `where` holds, and up to
 * `limit` of each table: they wait for all consumers, or were left for this one.
 */
export function waitingFor(consumer: ConsumerName, where = "true", limit?: number): string {
  const bounds = limit === undefined ? "" : ` order by event_id limit ${limit}`;
  return `((select account_id, event_id from outbox where ${where}${bounds}) union all
    (select account_id, event_id from outbox_of_consumers where consumer = '${consumer}' and ${where}${bounds}))`;
}
