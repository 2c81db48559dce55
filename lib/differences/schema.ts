import { z } from "zod";
import { comparisonFailures, differenceFaults, differenceKinds, differenceStatuses } from "@/lib/differences/states";
import { PageQuery, pageOf } from "@/lib/lists/pagination";
import { moveStates } from "@/lib/rails/pix/listed";
import { DAY_MS } from "@/lib/time/calendar";
import { time } from "@/lib/time/schema";

const text = z.string().nullable();
const amount = z.string().nullable().meta({ description: "Reais, two decimals; null where it is missing" });
const state = z.enum(moveStates).nullable();

/** What a PSP has otherwise than we have it. */
export const Difference = z.object({
  id: z.uuid(),
  status: z.enum(differenceStatuses),
  ...{ provider: z.string(), provider_title: z.string() },
  kind: z.enum(differenceKinds),
  fault: z.enum(differenceFaults),
  /** The end-to-end id of a payment, our id of a return or payout, or the PSP's where it is not ours. */
  record: z.string(),
  /** The payment of a return, or the payout of what came back of it. */
  parent: text,
  ...{ amount_there: amount, amount_here: amount, state_there: state, state_here: state },
  /** Whose record it is here. */
  account: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** When its payment was paid or its payout sent. */
  happened_at: time,
  ...{ first_seen_at: time, last_seen_at: time, updated_at: time },
  ...{ closed_at: time.nullable(), closed_by: text, reason: text },
});
export type Difference = z.output<typeof Difference>;
export const DifferencesPage = pageOf(Difference);
export type DifferencesPage = z.output<typeof DifferencesPage>;

/** GET /api/operator/v1/differences: the newest first. */
export const DifferencesQuery = PageQuery.extend({
  status: z.enum(differenceStatuses).default("open"),
  kind: z.enum(differenceKinds).optional(),
  provider: z.string().max(30).optional(),
});
export type DifferencesQuery = z.output<typeof DifferencesQuery>;

/** How long the reason of a decision of the staff may be. */
export const MAX_REASON = 2_000;

/** POST …/{difference}/close: why, and the `updated_at` of the difference that was looked at. */
export const CloseBody = z.object({
  reason: z.string().trim().min(1, "Escreva por que a diferença está explicada.").max(MAX_REASON),
  updated_at: z.iso.datetime().max(40),
});
export type CloseBody = z.output<typeof CloseBody>;

const count = z.object({ theirs: z.int(), ours: z.int() });

/** What was counted on both sides, and how many of the PSP's records could not be read. */
export const Figures = z.object({
  ...{ payment: count, return: count, payout: count, payout_return: count },
  unreadable: z.int(),
});
export type Figures = z.output<typeof Figures>;

/** A comparison with a PSP. `failure` is why nothing could be compared so far; one of a day is tried again until `ended_at`. */
export const Comparison = z.object({
  ...{ id: z.uuid(), provider: z.string(), since: time, until: time },
  /** Whether a person asked for it. */
  is_asked: z.boolean(),
  ...{ started_at: time.nullable(), ended_at: time.nullable() },
  figures: Figures.nullable(),
  /** How many differences it found, those that are closed among them. */
  found: z.int().nullable(),
  failure: z.enum(comparisonFailures).nullable(),
});
export type Comparison = z.output<typeof Comparison>;

/** GET /api/operator/v1/comparisons: the newest first, and the PSPs with which there can be one. */
export const Comparisons = z.object({
  data: z.array(Comparison),
  meta: z.object({ providers: z.array(z.object({ name: z.string(), title: z.string() })) }),
});
export type Comparisons = z.output<typeof Comparisons>;

/** The longest span that is compared on demand. */
export const MAX_DAYS = 31;
const day = z.iso.date({ error: "Informe um dia." }).refine((text) => /^20/.test(text), "Informe um dia.");

/** POST /api/operator/v1/comparisons: days in São Paulo, both included. */
export const CompareBody = z
  .object({ provider: z.string().min(1, "Escolha o provedor.").max(30), from: day, to: day })
  .refine(({ from, to }) => from <= to, { path: ["to"], error: "O último dia vem antes do primeiro." })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MAX_DAYS * DAY_MS, {
    ...{ path: ["to"], error: `Compare no máximo ${MAX_DAYS} dias de cada vez.` },
  });
export type CompareBody = z.output<typeof CompareBody>;
