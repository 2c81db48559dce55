import { transactionOverAll } from "@/lib/db";
import type { Health, HealthQuery, ProviderFigures, ProviderHealth } from "@/lib/outside/schema";
import { iso } from "@/lib/time/clock";

/** How many calls are read at most: the newest, and of open ones the oldest. */
const READ = 50_000;
/** How many watches are counted at most. */
const COUNTED = 50_000;

/** How the providers answer each kind of call. Calls are read by their instant, and no more than the newest 50,000. */
export const readHealth = ({ period }: HealthQuery): Promise<Health> =>
  transactionOverAll(async (query) => {
    const data = await query<ProviderHealth>("providers_health", CALLS, [`1 ${period}`]);
    return { data };
  });

/**
 * How each provider fares, by its name: its answers of the last hour and day among the newest 50,000 calls, what waits for it, and
 * what is watched at it. A provider of which nothing is known has no figures.
 */
export const readFigures = (): Promise<Map<string, ProviderFigures>> =>
  transactionOverAll(async (query) => {
    const answers = await query<AnswersRow>("providers_answers", ANSWERS, []);
    const open = await query<OpenRow>("providers_open", OPEN, []);
    const looks = await query<{ provider: string; looked: Date }>("providers_looked", LOOKED, []);
    const watches = await query<WatchesRow>("providers_watches", WATCHES, []);
    const names = [...answers, ...open, ...looks, ...watches].map(({ provider }) => provider);
    const of = <T extends { provider: string }>(rows: readonly T[], name: string) =>
      rows.find(({ provider }) => provider === name);
    return new Map(
      [...new Set(names)].map((name) => {
        const [answered, waiting, watched] = [of(answers, name), of(open, name), of(watches, name)];
        const looked = of(looks, name)?.looked;
        const successes = [answered?.last, looked].filter((at) => at != null);
        const last = successes.length > 0 ? Math.max(...successes.map((at) => at.getTime())) : null;
        const figures = {
          last_success_at: last === null ? null : iso(new Date(last)),
          looked_at: looked ? iso(looked) : null,
          hour: answered?.hour ?? NO_FIGURES.hour,
          day: answered?.day ?? NO_FIGURES.day,
          open: waiting ? { ...waiting.counts, oldest_since: waiting.oldest && iso(waiting.oldest) } : NO_FIGURES.open,
          ...{ watched: watched?.watched ?? 0, unanswered: watched?.unanswered ?? 0 },
        };
        return [name, figures] as const;
      }),
    );
  });

const NO_CALLS = { calls: 0, failed: 0, p50_seconds: null, p95_seconds: null };

/** Of a provider of which nothing is known. */
export const NO_FIGURES: ProviderFigures = {
  ...{ last_success_at: null, looked_at: null, hour: NO_CALLS, day: NO_CALLS, watched: 0, unanswered: 0 },
  open: { waiting: 0, over_minute: 0, over_hour: 0, accepted: 0, oldest_since: null },
};

type Answers = ProviderFigures["hour"];
type AnswersRow = { provider: string; last: Date | null; hour: Answers; day: Answers };
type WatchesRow = { provider: string; watched: number; unanswered: number };
type OpenRow = { provider: string; counts: Omit<ProviderFigures["open"], "oldest_since">; oldest: Date | null };

const percentile = (of: number, only = "true") =>
  `round((percentile_cont(${of}) within group (order by extract(epoch from done_at - sent_at))
    filter (where done_at >= sent_at and ${only}))::numeric, 3)::float8`;

/** SQL: a call that its first attempt did not bring to an answer. One that was accepted is asked about for other reasons. */
const FAILED =
  "accepted_at is null and (attempts > 1 or (done_at is null and created_at < now() - interval '10 seconds'))";

const answersOf = (period: "hour" | "day") => {
  const only = `created_at > now() - interval '1 ${period}'`;
  return `json_build_object('calls', count(*) filter (where ${only}), 'failed', count(*) filter (where ${only} and ${FAILED}),
    'p50_seconds', ${percentile(0.5, only)}, 'p95_seconds', ${percentile(0.95, only)}) as ${period}`;
};

const ANSWERS = `select provider, max(coalesce(done_at, accepted_at)) as last, ${answersOf("hour")}, ${answersOf("day")}
  from (
    select provider, attempts, sent_at, accepted_at, done_at, created_at from calls order by created_at desc limit ${READ}
  ) c group by provider`;

/** Ids begin with their time, so the oldest calls are the first of the index of open ones. */
const OPEN = `select provider, min(since) filter (where not is_accepted) as oldest, json_build_object(
    'waiting', count(*) filter (where not is_accepted),
    'over_minute', count(*) filter (where not is_accepted and since < now() - interval '1 minute'),
    'over_hour', count(*) filter (where not is_accepted and since < now() - interval '1 hour'),
    'accepted', count(*) filter (where is_accepted)) as counts
  from (
    select provider, accepted_at is not null as is_accepted, coalesce(sent_at, created_at) as since
    from calls where done_at is null order by id limit ${READ}
  ) c group by provider`;

const LOOKED = "select provider, looked_at as looked from rail_looks where looked_at is not null";

const CALLS = `select provider, kind, count(*)::int as calls, count(done_at)::int as answered,
    (count(*) filter (where attempts > 1))::int as retried, ${percentile(0.5)} as p50_seconds, ${percentile(0.95)} as p95_seconds
  from (
    select provider, kind, attempts, sent_at, done_at from calls
    where created_at > now() - $1::interval order by created_at desc limit ${READ}
  ) c group by 1, 2 order by 1, 2`;

const WATCHES = `select provider, count(*)::int as watched, count(unanswered_since)::int as unanswered
  from (select provider, unanswered_since from watches where ask_at is not null limit ${COUNTED}) w group by 1 order by 1`;
