import { asSystem } from "@/lib/db";
import { kinds } from "@/lib/ledger/chart";

/** A kind of account (`lib/ledger/chart.ts`), and what all accounts of it hold together, in cents. */
export type Total = { kind: string; amount: number };

const READ_WITHIN_MS = 5_000;

/**
 * What the whole ledger holds by kind of account: all totals together are zero, because each posting is. It reads a row
 * of each account and kind and the entries that are not folded yet, all as they were at one moment, and fails after 5 s.
 */
export const readTotals = (): Promise<Total[]> =>
  asSystem((tx) => tx.$queryRawUnsafe<Total[]>(TOTALS), { timeoutMs: READ_WITHIN_MS });

/** Kinds that nobody holds yet are zero. */
const TOTALS = `select kind, sum(amount)::float8 as amount from (
    select kind, amount from ledger_snapshots union all select kind, amount from ledger_tail
    union all select kind, 0 from unnest('{${Object.keys(kinds)}}'::text[]) as kind
  ) parts group by kind`;
