import { transactionOverAll } from "@/lib/db";
import { type ErrorCode, errors } from "@/lib/errors";
import type { RefusedQuery, RefusedRules } from "@/lib/refusals/schema";
import { iso } from "@/lib/time/clock";

/** How many refused requests are read at most, the newest. */
const READ = 100_000;

type Row = { rule: string; requests: number; accounts: number; last_at: Date };

/** The charges of live accounts that our own rules refused, by the rule: the most frequent first. */
export const readRefused = ({ period }: RefusedQuery): Promise<RefusedRules> =>
  transactionOverAll(async (query) => {
    const rows = await query<Row>("refused_by_rule", REFUSED, [`1 ${period}`]);
    return {
      data: rows.map((row) => ({
        ...row,
        message: Object.hasOwn(errors, row.rule) ? errors[row.rule as ErrorCode][1] : null,
        last_at: iso(row.last_at),
      })),
    };
  });

/** SQL: who could not be authenticated, or asked too often, asked for no charge yet. */
const REFUSED = `select error as rule, count(*)::int as requests, count(distinct account_id)::int as accounts, max(created_at) as last_at
  from (
    select l.error, l.account_id, l.created_at, l.method, l.path from request_log l
    where l.error is not null and l.status < 500 and l.created_at > now() - $1::interval
    order by l.created_at desc limit ${READ}
  ) l
  where method = 'POST' and path ~ '/(cash-in|credit-card|checkout|gateway/api|getTransaction)' and error <> 'rate_limit_exceeded'
    and exists (select from accounts a where a.id = l.account_id and a.mode = 'live')
  group by 1 order by 2 desc, 1`;
