import type { Row } from "@/lib/database/json-rows";
import { aboutDispute, mailSellers } from "@/lib/disputes/mails";
import { REMINDERS_MS } from "@/lib/disputes/open";
import { disputeOf, recordOf } from "@/lib/disputes/record";
import { dueInSets } from "@/lib/due/sets";
import { iso } from "@/lib/time/clock";

/** How many disputes one set has. */
const LIMIT = 100;
const HOUR_MS = 3_600_000;

/** A dispute, with the hours that are left on its account's clock. */
type Due = { accountId: string; id: string; record: Row; leftMs: number };

/**
 * Loop: reminds sellers of disputes that are not defended, 48, 24 and 6 hours before the deadline on each account's own clock. A
 * reminder whose time went by while nobody worked is not made up for: the latest one says how many hours are left. Returns whether
 * more may be due.
 */
export const remindSellers = dueInSets<Due>({
  name: "disputes.remind",
  rows: {
    ...{ table: "disputes", key: { account_id: "uuid", id: "uuid" }, at: "t.remind_at" },
    ...{ only: "t.remind_at is not null", clock: { index: "open" } },
  },
  columns: `, ${recordOf("t")} as record, (extract(epoch from t.deadline - clock_timestamp()) * 1000
    - coalesce((select clock_offset_ms from accounts where id = t.account_id), 0))::float8 as "leftMs"`,
  limit: LIMIT,
  async act(query, due) {
    const reminded = due.flatMap(({ record: row, leftMs }) => {
      const record = disputeOf(row);
      const { id, remindAt, deadline } = record.dispute;
      const reached = REMINDERS_MS.findLast((ms) => ms >= leftMs);
      if (!remindAt || !reached || leftMs <= 0) return [];
      const hours = Math.max(1, Math.round(leftMs / HOUR_MS));
      const content = {
        template: "dispute_reminder" as const,
        ...aboutDispute(record),
        hours,
        deadline: iso(deadline),
      };
      return [{ record, occurredAt: remindAt, intent: `dispute_reminder_${reached / HOUR_MS}:${id}`, content }];
    });
    await mailSellers(query, reminded);
    const next = due.map(({ accountId, id, leftMs }) => ({
      accountId,
      id,
      before: REMINDERS_MS.find((ms) => ms < leftMs) ?? null,
    }));
    await query("disputes_reminded", NEXT, [JSON.stringify(next)]);
  },
});

const NEXT = `update disputes d set remind_at = d.deadline - n.before * interval '1 millisecond'
  from json_to_recordset($1::json) as n("accountId" uuid, id uuid, before bigint)
  where d.account_id = n."accountId" and d.id = n.id`;
