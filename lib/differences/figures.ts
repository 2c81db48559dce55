import { runPrepared, scopeOf } from "@/lib/db";
import { PLATFORM } from "@/lib/ledger/chart";

/**
 * Of each PSP how many differences are open, up to how many seconds ago it has been compared (null where never), and how many
 * ago its list was last read, or it was connected.
 */
export type DifferenceFigures = {
  provider: string;
  open: number;
  comparedSeconds: number | null;
  lookedSeconds: number;
};

/** Of every connected PSP what the metrics tell of its differences and its list. */
export const readDifferenceFigures = (): Promise<DifferenceFigures[]> =>
  runPrepared<DifferenceFigures>("differences_figures", FIGURES, [PLATFORM]);

const FIGURES = `select p.name as provider, (
    select count(*)::int from (
      select from reconcile_differences where account_id = scope.account and status = 'open' and provider = p.name offset 0
    ) d
  ) as open, (
    select extract(epoch from now() - max(until))::float8 from rail_comparisons
    where provider = p.name and ended_at is not null and failure is null
  ) as "comparedSeconds", extract(epoch from now() - coalesce(
    (select looked_at from rail_looks where provider = p.name), p.created_at
  ))::float8 as "lookedSeconds"
  from ${scopeOf("$1")} cross join lateral (select name, created_at from pix_providers offset 0) p`;
