import { z } from "zod";
import { PageQuery } from "@/lib/lists/pagination";

/** GET /api/operator/v1/unanswered: the longest waiting first. */
export const UnansweredQuery = PageQuery;
export type UnansweredQuery = z.output<typeof UnansweredQuery>;

/** A call or a watch that a provider has not answered for a day. */
export const Unanswered = z.object({
  /** `call`: something that we asked the provider to do. `watch`: a record that the provider may change by itself. */
  what: z.enum(["call", "watch"]),
  kind: z.string(),
  provider: z.string(),
  /** Our id of a call, the provider's own id of a watched record. */
  id: z.string(),
  /** Whose call it is; a watch belongs to a provider alone. */
  account: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  since: z.string(),
});
export type Unanswered = z.output<typeof Unanswered>;

const seconds = z.number().nullable();

/** How a provider answered the calls of a period: `p50` and `p95` are seconds from the sending to the answer. */
export const ProviderHealth = z.object({
  provider: z.string(),
  kind: z.string(),
  /** Those that were written in the period, those of them that have their answer, and those that were tried again. */
  calls: z.int(),
  answered: z.int(),
  retried: z.int(),
  p50_seconds: seconds,
  p95_seconds: seconds,
});
export type ProviderHealth = z.output<typeof ProviderHealth>;

/** The calls of a period, and those whose first attempt brought no answer. Seconds from the sending to the answer. */
const Answers = z.object({ calls: z.int(), failed: z.int(), p50_seconds: seconds, p95_seconds: seconds });

/** How one provider fares, whatever it is asked. */
export const ProviderFigures = z.object({
  /** When it last answered a call, or our look at what it received; null where neither is known. */
  last_success_at: z.string().nullable(),
  /** When its list of what it received was last read; null where it never was, or there is none. */
  looked_at: z.string().nullable(),
  hour: Answers,
  day: Answers,
  /** Calls without an answer, those of them that wait longer than a minute or an hour, and since when the oldest does. */
  open: z.object({
    ...{ waiting: z.int(), over_minute: z.int(), over_hour: z.int(), oldest_since: z.string().nullable() },
    /** Calls that were answered, and whose end comes later. */
    accepted: z.int(),
  }),
  ...{ watched: z.int(), unanswered: z.int() },
});
export type ProviderFigures = z.output<typeof ProviderFigures>;

/** GET /api/operator/v1/providers: the last hour or day. */
export const HealthQuery = z.object({ period: z.enum(["hour", "day"]).default("hour") });
export type HealthQuery = z.output<typeof HealthQuery>;
export const Health = z.object({ data: z.array(ProviderHealth) });
export type Health = z.output<typeof Health>;
