import { runPrepared, scopeOf } from "@/lib/db";
import { PLATFORM } from "@/lib/ledger/chart";

/** Of each PSP how many differences are open, and up to how many seconds ago it has been compared; null where never. */
export type DifferenceFigures = { provider: string; open: number; comparedSeconds: number | null };

/** Of every connected PSP what the metrics tell of its differences. */
export const readDifferenceFigures = (): Promise<DifferenceFigures[]> =>
  runPrepared<DifferenceFigures>("differences_figures", FIGURES, [PLATFORM]);

const FIGURES = `select p.name as provider, (
    select count(*)::int from (
      select from reconcile_differences where account_id = scope.account and status = 'open' and provider = p.name offset 0
    ) d
  ) as open, (
    select extract(epoch from now() - max(until))::float8 from rail_comparisons
    where provider = p.name and ended_at is not null and failure is null
  ) as "comparedSeconds"
  from ${scopeOf("$1")} cross join lateral (select name from pix_providers offset 0) p`;
