import { asSystem } from "@/lib/db";
import { kinds, modeOf } from "@/lib/ledger/chart";
import type { Mode } from "@/prisma/client/enums";

/** A kind of account (`lib/ledger/chart.ts`), and what all accounts of it hold together in a mode, in cents. */
export type Total = { mode: Mode; kind: string; amount: number };

const READ_WITHIN_MS = 5_000;

/**
 * What the whole ledger holds by mode and kind of account: the totals of a mode are zero together, because each posting is.
 * It reads a row of each account and kind and the entries that are not folded yet, all as they were at one moment, and fails
 * after 5 s.
 */
export const readTotals = (): Promise<Total[]> =>
  asSystem((tx) => tx.$queryRawUnsafe<Total[]>(TOTALS), { timeoutMs: READ_WITHIN_MS });

/** Kinds that nobody holds yet are zero. */
const TOTALS = `select mode, kind, sum(amount)::float8 as amount from (
    select ${modeOf("parts.account_id")} as mode, kind, amount from (
      select account_id, kind, amount from ledger_snapshots union all select account_id, kind, amount from ledger_tail
    ) parts
    union all select mode, kind, 0 from unnest('{live,sandbox}'::text[]) mode, unnest('{${Object.keys(kinds)}}'::text[]) kind
  ) known group by mode, kind`;
