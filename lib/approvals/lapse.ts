import { approvalTransitions } from "@/lib/approvals/states";
import type { Query } from "@/lib/db";
import { dueInSets } from "@/lib/due/sets";
import { leadsToSql, startsFromSql } from "@/lib/states";

const { lapse } = approvalTransitions;

/** What waits for a second person, by the instant at which it lapses. */
export const dueApprovals = {
  table: "approvals",
  key: { account_id: "uuid", id: "uuid" },
  at: "t.lapses_at",
  only: startsFromSql(lapse, "t"),
} as const;

const LAPSE = `update approvals a set ${leadsToSql(lapse)}, decided_at = now()
  from json_to_recordset($1::json) as d("accountId" uuid, id uuid)
  where a.account_id = d."accountId" and a.id = d.id and ${startsFromSql(lapse, "a")}`;

/** Ends a set of the requests that nobody decided in time: they do not happen. Returns whether more may be due. */
export const lapseApprovals = dueInSets<{ accountId: string; id: string }>({
  name: "approvals.lapse",
  rows: dueApprovals,
  limit: 100,
  act: (query: Query, due) => query("approvals_lapse", LAPSE, [JSON.stringify(due)]),
});
