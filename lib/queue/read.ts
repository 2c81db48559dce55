import { queryOf, readForStaff } from "@/lib/db";
import { waitingDifferences } from "@/lib/differences/read";
import { openIn } from "@/lib/disputes/review";
import { COUNTED } from "@/lib/lists/pagination";
import { type Queue, type QueueName, type QueueQuery, queueNames } from "@/lib/queue/schema";
import { waitingIn as waitingRefunds } from "@/lib/refunds/review";
import { isoOrNull } from "@/lib/time/clock";
import { waitingUnmatched } from "@/lib/unmatched/read";
import { waitingIn } from "@/lib/withdrawals/waiting";
import type { Mode } from "@/prisma/client/enums";

/**
 * SQL: what waits for a person in a mode, each with `since` when it does, by the conditions of an index. A noun that people
 * decide about has a row here, a name in the schema and a page in the menu.
 */
const queues: Readonly<Record<QueueName, (mode: Mode) => string>> = {
  accounts: (mode) =>
    `select created_at as since from accounts where mode = '${mode}' and status = 'pending' and twin_id is null`,
  profile_requests: (mode) => `select r.created_at as since from profile_requests r
    join accounts a on a.id = r.account_id and a.mode = '${mode}' where r.status = 'pending'`,
  refunds: (mode) => `select created_at as since from (${waitingRefunds(mode)}) r`,
  disputes: (mode) => `select created_at as since from (${openIn(mode)}) d`,
  withdrawals: (mode) => waitingIn(mode),
  unmatched: (mode) => waitingUnmatched(mode),
  differences: (mode) => waitingDifferences(mode),
};

type Found = { name: QueueName; count: number; oldest: Date | null };

/** What waits for the staff in a mode: how many of each kind, and how long the oldest has. */
export const readQueue = ({ mode }: QueueQuery): Promise<Queue> =>
  readForStaff(async (tx) => {
    const parts = queueNames.map(
      (name) => `select '${name}' as name, count(*)::int as count, min(since) as oldest
        from (select since from (${queues[name](mode)}) w limit $1) w`,
    );
    const rows = await queryOf(tx)<Found>("", parts.join(" union all "), [COUNTED]);
    const sinceOf = ({ oldest }: Found) => oldest?.getTime() ?? Number.POSITIVE_INFINITY;
    const data = rows
      .toSorted((a, b) => sinceOf(a) - sinceOf(b) || queueNames.indexOf(a.name) - queueNames.indexOf(b.name))
      .map(({ oldest, ...waiting }) => ({ ...waiting, oldest_at: isoOrNull(oldest) }));
    return { data };
  });
