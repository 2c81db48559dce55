import { runPrepared } from "@/lib/db";
import { compareRail, type Span } from "@/lib/differences/compare-rail";
import { failed, failureOf } from "@/lib/differences/failure";
import { writeResult } from "@/lib/differences/write";
import { log } from "@/lib/log";
import { railNamed } from "@/lib/rails/pix/rails";
import { DAY_MS, lastDays, startOfDay } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";

/** The job of the timetable that makes comparisons. */
export const COMPARE = "providers.compare";

/** How soon after a day's end it is compared. */
const DAY_ENDED_MS = 1_800_000;
/** How many days are compared again, so that late facts are seen. */
const DAYS = 3;
/** A payment can be returned for 90 days. */
const RETURNABLE_MS = 90 * DAY_MS;
/** What changed this recently on one side may still be on its way to the other. */
export const SETTLED_MS = 3_600_000;

/**
 * Job: compares what each PSP has of the last days with what we have, once for each day that has ended, and what the staff asked
 * for. A comparison that fails keeps no other waiting: that of a day is tried again for a day, and for one that the staff asked
 * for they ask again. Safe to run twice at once. Throws where one has failed, so that the job is run again.
 */
export async function compareDue({ settledMs = SETTLED_MS } = {}): Promise<void> {
  await planDay();
  const notCompared = [];
  let last = "";
  for (;;) {
    const [due] = await runPrepared<Due>("comparison_next", NEXT, [last || null]);
    if (!due) break;
    last = due.id;
    const failure = await compare(due, settledMs).catch((error) => error ?? new Error("no reason"));
    if (failure === undefined) continue;
    log.error({ ...due, error: failure }, "a PSP could not be compared with what we have");
    await runPrepared("comparison_failed", FAILED, [due.id, failureOf(failure)]);
    notCompared.push(due.provider);
  }
  if (notCompared.length > 0) throw new Error(`Not compared: ${notCompared.join(", ")}`);
}

/** Plans the comparison of the last day that has ended, with every PSP that was connected before its end. */
async function planDay(): Promise<void> {
  const [today = ""] = lastDays(new Date(realNow().getTime() - DAY_ENDED_MS), 1);
  const until = startOfDay(today);
  const before = (ms: number) => new Date(until.getTime() - ms);
  await runPrepared("comparison_plan", PLAN, [before(DAYS * DAY_MS), until, before(RETURNABLE_MS)]);
}

async function compare({ id, provider, ...span }: Due, settledMs: number): Promise<undefined> {
  const rail = railNamed(provider);
  if (!rail) throw failed("not_connected", `No PSP of this name is connected: ${provider}`);
  const startedAt = realNow();
  const result = await compareRail(rail, span, new Date(startedAt.getTime() - settledMs));
  await writeResult({ id, provider, span, startedAt, ...result });
}

type Due = Span & { id: string; provider: string };

const PLAN = `insert into rail_comparisons (id, provider, since, until, returns_since)
  select new_id(), name, $1::timestamptz, $2::timestamptz, $3::timestamptz from pix_providers where created_at < $2
  on conflict (provider, until) where asked_by is null do nothing`;

const NEXT = `select id, provider, since, until, returns_since as "returnsSince" from rail_comparisons
  where ended_at is null and ($1::uuid is null or id > $1) order by id limit 1`;

/** That of a day is not tried any more when the next day's, which reaches back over its days, is there. */
const FAILED = `update rail_comparisons set failure = $2, attempts = attempts + 1, started_at = coalesce(started_at, now()),
    ended_at = case when asked_by is not null or created_at < now() - interval '1 day' then now() end
  where id = $1::uuid and ended_at is null`;
