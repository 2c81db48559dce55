import { transactionOverAll } from "@/lib/db";
import type { Health, HealthQuery, ProviderHealth } from "@/lib/outside/schema";

/** How many calls are read at most, the newest. */
const READ = 50_000;
/** How many watches are counted at most. */
const COUNTED = 50_000;

/** How the providers answer. Calls are read by their instant, and no more than the newest 50,000. */
export const readHealth = ({ period }: HealthQuery): Promise<Health> =>
  transactionOverAll(async (query) => {
    const data = await query<ProviderHealth>("providers_health", CALLS, [`1 ${period}`]);
    const watches = await query<Health["watches"][number]>("providers_watches", WATCHES, []);
    return { data, watches };
  });

const percentile = (of: number) =>
  `round(percentile_cont(${of}) within group (order by extract(epoch from done_at - sent_at))
    filter (where done_at >= sent_at)::numeric, 3)::float8`;

const CALLS = `select provider, kind, count(*)::int as calls, count(done_at)::int as answered,
    (count(*) filter (where attempts > 1))::int as retried, ${percentile(0.5)} as p50_seconds, ${percentile(0.95)} as p95_seconds
  from (
    select provider, kind, attempts, sent_at, done_at from calls
    where created_at > now() - $1::interval order by created_at desc limit ${READ}
  ) c group by 1, 2 order by 1, 2`;

const WATCHES = `select provider, count(*)::int as watched, count(unanswered_since)::int as unanswered
  from (select provider, unanswered_since from watches where ask_at is not null limit ${COUNTED}) w group by 1 order by 1`;
