import { z } from "zod";
import { time } from "@/lib/time/schema";

/** A rule by which charges were refused: how many, of how many accounts, and when last. */
export const Refused = z.object({
  rule: z.string(),
  /** What its caller was told, null of a rule of a later version. */
  message: z.string().nullable(),
  requests: z.int(),
  accounts: z.int(),
  last_at: time,
});
export type Refused = z.output<typeof Refused>;

/** GET /api/operator/v1/refused: the last hour, day or week. */
export const RefusedQuery = z.object({ period: z.enum(["hour", "day", "week"]).default("day") });
export type RefusedQuery = z.output<typeof RefusedQuery>;
export const RefusedRules = z.object({ data: z.array(Refused) });
export type RefusedRules = z.output<typeof RefusedRules>;
