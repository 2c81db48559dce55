import type { Row } from "@/lib/database/json-rows";
import { aboutDispute, mailSellers } from "@/lib/disputes/mails";
import { REMINDERS_MS } from "@/lib/disputes/open";
import { disputeOf, recordOf } from "@/lib/disputes/record";
import { dueInSets } from "@/lib/due/sets";
import { iso } from "@/lib/time/clock";

/** How many disputes one set has. */
const LIMIT = 100;
const HOUR_MS = 3_600_000;

type Due = { accountId: string; id: string; record: Row };

/**
 * Loop: reminds sellers of disputes that are not defended, 48, 24 and 6 hours before the deadline on each account's own clock. A
 * reminder whose time went by while nobody worked is not made up for by the one before. Returns whether more may be due.
 */
export const remindSellers = dueInSets<Due>({
  name: "disputes.remind",
  rows: {
    ...{ table: "disputes", key: { account_id: "uuid", id: "uuid" }, at: "t.remind_at" },
    ...{ only: "t.remind_at is not null", clock: { index: "open" } },
  },
  columns: `, ${recordOf("t")} as record`,
  limit: LIMIT,
  async act(query, due) {
    const records = due.map(({ record }) => disputeOf(record));
    const reminded = records.flatMap((record) => {
      const { dispute } = record;
      const { remindAt, deadline } = dispute;
      if (!remindAt) return [];
      const hours = Math.round((deadline.getTime() - remindAt.getTime()) / HOUR_MS);
      const about = { ...aboutDispute(record), hours, deadline: iso(deadline) };
      const content = { template: "dispute_reminder" as const, ...about };
      return [{ record, occurredAt: remindAt, intent: `dispute_reminder_${hours}:${dispute.id}`, content }];
    });
    await mailSellers(query, reminded);
    const next = records.map(({ dispute: { accountId, id, deadline, remindAt } }) => ({
      ...{ accountId, id },
      at: nextOf(deadline.getTime(), remindAt?.getTime() ?? 0),
    }));
    await query("disputes_reminded", NEXT, [JSON.stringify(next)]);
  },
});

/** The first reminder that is surely after this one. */
const nextOf = (deadline: number, last: number) =>
  REMINDERS_MS.map((ms) => new Date(deadline - ms)).find((at) => at.getTime() - last > HOUR_MS / 2) ?? null;

const NEXT = `update disputes d set remind_at = n.at
  from json_to_recordset($1::json) as n("accountId" uuid, id uuid, at timestamptz)
  where d.account_id = n."accountId" and d.id = n.id`;
