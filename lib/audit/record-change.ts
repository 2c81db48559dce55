import { countStored, rowBytes } from "@/lib/accounts/storage";
import { currentActor, currentRequest, noteRecorded } from "@/lib/actor";
import { onCommit, type Query, queryOf, type Tx } from "@/lib/db";
import { LINKED_BY } from "@/lib/events/outbox";
import { PLATFORM } from "@/lib/ledger/chart";
import { realNow } from "@/lib/time/clock";

/** The records that are changed by hand and have no webhook: what is done to them is kept for the account's history. */
export type ChangedSubject =
  | "account"
  | "account_note"
  | "adjustment"
  | "approval"
  | "card_domain"
  | "comparison"
  | "credential"
  | "customer_data"
  | "delivery"
  | "invitation"
  | "dispute_file"
  | "document"
  | "look"
  | "mail"
  | "member"
  | "payment_link"
  | "payout_stop"
  | "plan"
  | "plan_split"
  | "product"
  | "profile_request"
  | "provider"
  | "public_key"
  | "reconcile"
  | "sandbox"
  | "sandbox_clock"
  | "session"
  | "stored_card"
  | "tracking"
  | "user"
  | "webhook";

type Verb =
  | "created"
  | "updated"
  | "removed"
  | "reset"
  | "resent"
  | "replayed"
  | "stopped"
  | "accepted"
  | "refused"
  | "approved"
  | "suspended"
  | "closed"
  | "rejected"
  | "cancelled"
  | "reordered"
  | "exported"
  | "erased"
  | "lapsed"
  | "credited"
  | "debited";

type RecordChange = {
  accountId: string;
  subject: ChangedSubject;
  /** A UUID, or the number of a webhook. */
  id: string | number;
  verb: Verb;
  /** The record as people see it, without secrets: before, and after. */
  before?: object;
  after?: object;
  /** On the account's clock. */
  at?: Date;
};

/**
 * Writes the event of a change that somebody made to a record by hand, in the transaction of the change: who, for which
 * request, and what was before and after of the members that differ. A change that changes nothing leaves none.
 */
export async function recordChange(tx: Tx | Query, change: RecordChange): Promise<void> {
  const { accountId, subject, id, verb, before, after, at = realNow() } = change;
  noteRecorded();
  const differ = before && after ? differences(before, after) : {}; // all of a new or removed record is in `record`
  if (verb === "updated" && before && Object.keys(differ).length === 0) return;
  const [data, record, actor] = [differ, after ?? before ?? {}, currentActor()].map((value) => JSON.stringify(value));
  const values = [accountId, `${subject}.${verb}`, subject, uuidOf(id), data, record];
  const query = typeof tx === "function" ? tx : queryOf(tx);
  await query("record_change", INSERT, [...values, currentRequest() ?? null, actor, at]);
  const bytes = rowBytes.event + Buffer.byteLength(`${data}${record}`);
  if (accountId !== PLATFORM) onCommit(tx, () => countStored(accountId, bytes));
}

/** Only the account's chain is made of it (`lib/audit-log/link-events.ts`), so it is left for that consumer at once. */
const INSERT = `with happened as (
    insert into events (account_id, id, type, subject, subject_id, data, record, request_id, actor, occurred_at)
    values ($1::uuid, new_id(), $2, $3, $4::uuid, $5::jsonb, $6::jsonb, $7::uuid, $8::jsonb, $9)
    returning account_id, id
  )
  insert into outbox_of_consumers (consumer, account_id, event_id) select '${LINKED_BY}', account_id, id from happened`;

/** The members that differ: how each was before, and how it is after. */
function differences(before: object, after: object): Record<string, { before: unknown; after: unknown }> {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...old.keys(), ...now.keys()])];
  const differ = names.filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name)));
  return Object.fromEntries(
    differ.map((name) => [name, { before: old.get(name) ?? null, after: now.get(name) ?? null }]),
  );
}

/** Events name records by UUIDs; a number becomes the one that ends in it. */
export const uuidOf = (id: string | number) =>
  typeof id === "string" ? id : `00000000-0000-0000-0000-${id.toString(16).padStart(12, "0")}`;
