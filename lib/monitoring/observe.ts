import { remember } from "@/lib/concurrency/remember";
import { newBacklog } from "@/lib/due/backlog";
import type { Due } from "@/lib/due/find";
import { env } from "@/lib/env";
import { readTotals } from "@/lib/ledger/totals";
import { type Part, type Reads, startCounting } from "@/lib/monitoring/metrics";
import { newReadiness } from "@/lib/monitoring/readiness";

/** The ledger's totals read a row of every account. */
const REMEMBER_TOTALS_MS = 60_000;
/** They are asked for by several figures, and change by comparisons and persons alone. */
const REMEMBER_DIFFERENCES_MS = 10_000;

type Workers = { loops: readonly Worker[]; attempts: readonly Worker[] };
/** The figures of nouns that know who watches them. */
type Of = Pick<Reads, "certificates" | "differences">;
type Worker = { name: string; due?: readonly Due[] };

/** Lets a process be watched: it counts where METRICS_PORT is set, and the returned function says whether it can serve. */
export function observe(part: Part, { loops, attempts }: Workers, { certificates, ...reads }: Of) {
  const backlog = newBacklog([...loops, ...attempts]);
  const totals = remember(REMEMBER_TOTALS_MS, readTotals);
  const differences = remember(REMEMBER_DIFFERENCES_MS, reads.differences);
  if (env.METRICS_PORT) startCounting(part, { backlog, totals, differences, certificates });
  return newReadiness(backlog);
}
