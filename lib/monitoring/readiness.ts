import { remember } from "@/lib/concurrency/remember";
import { answeredWithin } from "@/lib/concurrency/time-limit";
import { runPrepared } from "@/lib/db";
import { clockSkewMs } from "@/lib/time/clock-skew";
import { migrations } from "@/prisma/catalogue.json";

/** `late` and `unknown` are reported and keep no process from being ready. */
export type Check = { status: "ok" | "failed" | "late" | "unknown"; [fact: string]: string | number };
export type Readiness = { isReady: boolean; checks: Record<string, Check> };

/** Work that is due: how old the oldest of it is, by loop. */
export type Lag = { loop: string; oldestSeconds: number };

/** Who asks often is answered from memory, because anybody may ask. */
const REMEMBER_MS = 1_000;
const ANSWER_WITHIN_MS = 3_000;
/** Above it the program's times and the database's no longer fit: what one writes is not due yet for the other. */
const MAX_SKEW_MS = 30_000;
/** The longest pause of a loop that is woken by nothing is a minute. */
const LATE_SECONDS = 60;

const expected = Object.keys(migrations);

/**
 * Makes the function that checks whether a process can serve: the database answers, its schema is the one that this
 * build knows, and the clocks agree. How late the loops are is reported beside it and decides nothing, because they work for
 * all servers: if it did, a slow worker would take every server out of service.
 */
export function newReadiness(
  readLags: () => Promise<readonly Lag[]>,
  skewMs: () => number | undefined = clockSkewMs,
): () => Promise<Readiness> {
  return remember(REMEMBER_MS, async () => {
    const startedAt = performance.now();
    const applied = await readMigrations().then(
      (names): string[] | Error => names,
      (error: Error) => error,
    );
    const isFound = Array.isArray(applied);
    const isAway = !isFound && !isMissing(applied);
    const ms = Math.round(performance.now() - startedAt);
    const checks: Record<string, Check> = {
      database: isAway ? { status: "failed" } : { status: "ok", ms },
      schema: isAway ? { status: "unknown" } : schemaCheck(isFound ? applied : []),
      clock: clockCheck(skewMs()),
      loops: isAway
        ? { status: "unknown" }
        : await answeredWithin(ANSWER_WITHIN_MS, readLags()).then(loopsCheck, (): Check => ({ status: "unknown" })),
    };
    return { isReady: Object.values(checks).every(({ status }) => status !== "failed"), checks };
  });
}

async function readMigrations(): Promise<string[]> {
  const text = "select applied_migrations() as names";
  const [row] = await answeredWithin(ANSWER_WITHIN_MS, runPrepared<{ names: string[] | null }>("", text, []));
  return row?.names ?? [];
}

/** Whether the database answered that it has no such function, as a schema from before it does. */
const isMissing = ({ code }: Error & { code?: string }) => code === "42883";

/** The database of another build lacks a migration of ours, or has one that came after all of them. */
function schemaCheck(applied: readonly string[]): Check {
  const missing = expected.filter((name) => !applied.includes(name)).length;
  const newer = applied.filter((name) => name > (expected.at(-1) ?? "")).length;
  return missing + newer === 0 ? { status: "ok" } : { status: "failed", missing, newer };
}

function clockCheck(skew: number | undefined): Check {
  if (skew === undefined) return { status: "unknown" };
  return { status: Math.abs(skew) > MAX_SKEW_MS ? "failed" : "ok", skew_ms: Math.round(skew) };
}

function loopsCheck(lags: readonly Lag[]): Check {
  const last = lags.reduce<Lag>((a, b) => (b.oldestSeconds > a.oldestSeconds ? b : a), { loop: "", oldestSeconds: 0 });
  const oldest_seconds = Math.round(last.oldestSeconds);
  return oldest_seconds > LATE_SECONDS
    ? { status: "late", oldest_seconds, loop: last.loop }
    : { status: "ok", oldest_seconds };
}
