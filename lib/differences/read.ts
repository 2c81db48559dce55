import type { Row } from "@/lib/database/json-rows";
import { queryOf, readForStaff } from "@/lib/db";
import { differenceOfRow } from "@/lib/differences/record";
import type { Difference, DifferencesPage, DifferencesQuery } from "@/lib/differences/schema";
import type { DifferenceFault, DifferenceKind } from "@/lib/differences/states";
import { PLATFORM } from "@/lib/ledger/chart";
import { COUNTED, metaOf, skipOf } from "@/lib/lists/pagination";
import { decimal } from "@/lib/money";
import { iso, isoOrNull } from "@/lib/time/clock";
import type { Mode } from "@/prisma/client/enums";

type Read = { row: Row; title: string | null; account: string | null; person: string | null };

/** Differences of a status, the newest first. Throws 422 for a page too far from the start. */
export function listDifferences({ status, kind, provider, ...page }: DifferencesQuery): Promise<DifferencesPage> {
  const skip = skipOf(page);
  // No parameter for the status, because under row-level security only the condition of an index is found.
  const rows = `select * from reconcile_differences where account_id = $1::uuid and status = '${status}'
    and ($2::text is null or kind = $2) and ($3::text is null or provider = $3)`;
  const values = [PLATFORM, kind ?? null, provider ?? null];
  return readForStaff(async (tx) => {
    const query = queryOf(tx);
    const counted = `select count(*)::int as found from (select from (${rows}) d limit $4) n`;
    const [count] = await query<{ found: number }>("", counted, [...values, COUNTED]);
    const shown = `select to_jsonb(d) as row, p.title, a.name as account, u.name as person
      from (${rows} order by id desc limit $4 offset $5) d
      left join pix_providers p on p.name = d.provider
      left join accounts a on a.id = d.of_account_id left join users u on u.id = d.closed_by order by d.id desc`;
    const found = await query<Read>("", shown, [...values, page.per_page, skip]);
    return { data: found.map(present), meta: metaOf(count?.found ?? 0, page) };
  });
}

/** SQL: since when differences wait for a person; only live accounts are paid over PSPs. */
export const waitingDifferences = (mode: Mode) => `select first_seen_at as since from reconcile_differences
  where account_id = '${PLATFORM}' and status = 'open' and '${mode}' = 'live'`;

function present({ row, title, account, person }: Read): Difference {
  const one = differenceOfRow(row);
  const cents = (amount: bigint | null) => (amount === null ? null : decimal(amount));
  return {
    ...{ id: one.id, status: one.status, provider: one.provider, provider_title: title ?? one.provider },
    ...{ kind: one.kind as DifferenceKind, fault: one.fault as DifferenceFault },
    ...{ record: one.recordId, parent: one.parentId },
    ...{ amount_there: cents(one.theirAmount), amount_here: cents(one.ourAmount) },
    state_there: one.theirState as Difference["state_there"],
    state_here: one.ourState as Difference["state_here"],
    account: one.ofAccountId && account ? { id: one.ofAccountId, name: account } : null,
    ...{ happened_at: iso(one.happenedAt), first_seen_at: iso(one.firstSeenAt), last_seen_at: iso(one.lastSeenAt) },
    ...{ updated_at: iso(one.updatedAt), closed_at: isoOrNull(one.closedAt), closed_by: person, reason: one.reason },
  };
}
