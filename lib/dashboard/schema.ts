import { z } from "zod";
import { Balance } from "@/lib/accounts/schema";

/** What the home page shows. Days are those of `TIME_ZONE`, oldest first: 30 before and the 30 to today. */
export const Overview = z.object({
  today: z.object({ count: z.int(), amount: z.string() }),
  balance: Balance,
  days: z.array(z.object({ date: z.string(), amount: z.string(), count: z.int() })),
  failing_webhooks: z.int(),
  /** How much of its limit the account stored in the last thirty days. */
  storage: z.object({ percent: z.int(), limit_mb: z.int(), is_full: z.boolean() }),
  checklist: z.object({ credential: z.boolean(), webhook: z.boolean(), paid: z.boolean() }),
});
export type Overview = z.output<typeof Overview>;
