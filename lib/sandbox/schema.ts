import { z } from "zod";
import { time } from "@/lib/time/schema";

/** How far a sandbox's clock may run ahead of real time. */
export const MAX_DAYS_AHEAD = 3_660;

/** POST /sandbox/clock/advance: by days or to an instant, one of the two. */
export const AdvanceBody = z
  .object({
    days: z.int().min(1).max(MAX_DAYS_AHEAD).optional(),
    to: z.iso.datetime({ offset: true }).max(40).optional(),
  })
  .refine(({ days, to }) => (days === undefined) !== (to === undefined), {
    path: ["days"],
    error: "Informe days ou to, um dos dois.",
  });
export type AdvanceBody = z.output<typeof AdvanceBody>;

/**
 * `processed` is at how many due instants the clock stopped on its way to `target`; `stopped_by` is why it ended before
 * that: the account has stored all that it may.
 */
export const Advanced = z.object({
  progress_id: z.uuid(),
  now: time,
  target: time,
  processed: z.int(),
  done: z.boolean(),
  stopped_by: z.enum(["storage_limit_reached"]).nullable(),
});
export type Advanced = z.output<typeof Advanced>;

/** GET /sandbox/clock: the present of the account, and the advance that is under way. */
export const Clock = z.object({ now: time, days_ahead: z.number(), advance: Advanced.nullable() });
export type Clock = z.output<typeof Clock>;

/**
 * POST /sandbox/subscriptions/{token}/mandate: what the payer does, or what the payer's account does with debits from now
 * on (`away`: the payer's bank does not answer).
 */
export const MandateAction = z.object({
  action: z.enum(["authorise", "refuse", "cancel", "enough", "none", "closed", "away"]),
});
export type MandateAction = z.output<typeof MandateAction>;
