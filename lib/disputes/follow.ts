import type { Row } from "@/lib/database/json-rows";
import type { Query } from "@/lib/db";
import { aboutDispute, mailSellers } from "@/lib/disputes/mails";
import { type DisputeRecord, disputeOf } from "@/lib/disputes/record";
import type { Happened } from "@/lib/events/consume";
import { releasedRefunds } from "@/lib/reversals/states";
import { iso } from "@/lib/time/clock";
import { releasedWithdrawals } from "@/lib/withdrawals/states";

/**
 * A consumer of events. The seller is written to when a dispute opens and when it ends. What brings credits makes the account's
 * disputes due that a short balance left unblocked; a credit without an event is found within an hour (`lib/disputes/block.ts`).
 */
export async function followDisputes(query: Query, events: readonly Happened[]): Promise<undefined> {
  await mailSellers(query, events.filter(isTold).map(mailOf));
  const credited = [...new Set(events.flatMap((event) => creditedBy(event) ?? []))].sort();
  if (credited.length > 0) await query("disputes_credited", DUE, [credited]);
}

const statusesOf = ({ data }: Pick<Happened, "data">) => data as { status: string; previous_status: string | null };

/** A defence leaves a dispute open, and is its seller's own act. */
const isTold = (event: Happened) =>
  event.subject === "dispute" && (statusesOf(event).status !== "open" || statusesOf(event).previous_status === null);

/** The statuses in which a record of each subject has brought its account money, or given back what it held. */
const credits: Readonly<Record<string, readonly string[]>> = {
  transaction: ["completed"],
  refund: releasedRefunds,
  dispute: ["won", "lost", "cancelled"],
  withdrawal: [...releasedWithdrawals, "returned"],
};

/** The account that an event tells of a credit to. Unmatched money is kept with another one than it is credited to. */
function creditedBy({ subject, accountId, data, record }: Happened): string | undefined {
  if (subject === "adjustment") return accountId;
  const { status } = statusesOf({ data });
  if (subject === "unmatched")
    return status === "credited" ? (record as { to_account_id: string }).to_account_id : undefined;
  return credits[subject]?.includes(status) ? accountId : undefined;
}

function mailOf({ record: row, occurredAt }: Happened) {
  const record: DisputeRecord = disputeOf(row as Row);
  const { dispute } = record;
  const about = aboutDispute(record);
  if (dispute.status === "open") {
    const content = { template: "dispute_opened" as const, ...about, deadline: iso(dispute.deadline) };
    return { record, occurredAt, intent: `dispute_opened:${dispute.id}`, content };
  }
  const lost = Number(dispute.lostAmount);
  const content = { template: "dispute_ended" as const, ...about, outcome: dispute.status, lost };
  return { record, occurredAt, intent: `dispute_ended:${dispute.id}`, content };
}

const DUE = `update disputes d set block_at = now() from (
    select account_id, id from disputes
    where account_id = any($1::uuid[]) and block_at > now() order by account_id, id for update
  ) short where d.account_id = short.account_id and d.id = short.id`;
