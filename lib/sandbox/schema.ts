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

/** POST /sandbox/reset: the account that is the sandbox from now on, in the place of the former one. */
export const Reset = z.object({ message: z.string(), account_id: z.uuid() });
export type Reset = z.output<typeof Reset>;

/** What goes and what stays, for the reference of the interface (CommonMark). */
export const RESET_TEXT = [
  "All of the sandbox goes: sales, subscriptions, products, plans, links, refunds, disputes, withdrawals, balances, webhooks,",
  "the tracking integration and the history; its clock is at the present again. What stays: credentials with their client ids,",
  "secrets and access tokens, the public key and its domains, the team, and the account's data, features, fees and limits.",
  "The sandbox is then another account, `account_id`, in the dashboard's addresses. What it has stored in thirty days stays",
  "counted. A sandbox can be reset 20 times a day.",
].join("\n");

/**
 * POST /sandbox/subscriptions/{token}/mandate: what the payer does, or what the payer's account does with debits from now
 * on (`away`: the payer's bank does not answer).
 */
export const MandateAction = z.object({
  action: z.enum(["authorise", "refuse", "cancel", "enough", "none", "closed", "away"]),
});
export type MandateAction = z.output<typeof MandateAction>;
