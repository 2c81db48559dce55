import { checks as adjustments } from "@/lib/adjustments/checks";
import { checks as audit } from "@/lib/audit-log/checks";
import { checks as subscriptions } from "@/lib/billing/checks";
import { checks as charges } from "@/lib/charges/checks";
import { asSystem, runPrepared } from "@/lib/db";
import { checks as deposits } from "@/lib/deposits/checks";
import { checks as earnings } from "@/lib/earnings/checks";
import { checks as ledger } from "@/lib/ledger/checks";
import { checks as outside } from "@/lib/outside/checks";
import type { Checks, Found } from "@/lib/reconcile/check";
import { checks as refunds } from "@/lib/refunds/checks";
import { checks as rollups } from "@/lib/rollups/checks";
import { checks as splits } from "@/lib/splits/checks";
import { DAY_MS } from "@/lib/time/calendar";
import { checks as transactions } from "@/lib/transactions/checks";
import { checks as unmatched } from "@/lib/unmatched/checks";
import { checks as withdrawals } from "@/lib/withdrawals/checks";

export type Fault = Found & { fault: string };

/** How far back the rails' records are compared; older movements were compared by earlier runs. */
const RAIL_MS = 3 * DAY_MS;
/** A payment this young may still be on its way to us. */
const IN_FLIGHT_MS = 60_000;
/** Each check reads whole tables once a day, in a snapshot of its own, so it may take long. */
const CHECK_TIMEOUT_MS = 15 * 60_000;

/**
 * Compares the ledger with itself, with the sales and with the rails, and the sales with their counts, and returns every fault. It runs daily, on
 * demand, and after every test run. Throws when a rail does not answer.
 */
export async function reconcile({ inFlightMs = IN_FLIGHT_MS } = {}): Promise<Fault[]> {
  const [clock] = await runPrepared<{ now: Date }>("database_now", "select now() as now", []);
  const now = clock?.now.getTime() ?? 0;
  const window = { since: new Date(now - RAIL_MS), until: new Date(now - inFlightMs) };
  const faults: Fault[] = [];
  const nouns = [
    ledger,
    transactions,
    rollups,
    splits,
    earnings,
    subscriptions,
    deposits,
    charges,
    refunds,
    withdrawals,
    adjustments,
    unmatched,
    outside,
    audit,
  ];
  const checks = nouns.flatMap(Object.entries<Checks[string]>);
  for (const [fault, check] of checks) {
    const found = typeof check === "string" ? await rowsOf(check) : check(window);
    for await (const one of found) faults.push({ fault, ...one });
  }
  return faults;
}

type Row = { account_id: string | null; id: string | null; detail: string };

async function rowsOf(query: string): Promise<Found[]> {
  const rows = await asSystem((tx) => tx.$queryRawUnsafe<Row[]>(query), { timeoutMs: CHECK_TIMEOUT_MS });
  return rows.map(({ account_id, id, detail }) => ({
    ...(account_id && { accountId: account_id }),
    ...(id && { id }),
    detail,
  }));
}
