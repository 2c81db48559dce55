import { z } from "zod";
import { TransactionMethod } from "@/prisma/client/enums";

const day = z.iso.date();
const amount = z.string();

/** GET /api/operator/v1/revenue: days of São Paulo, both included; the last thirty by default. */
export const RevenueQuery = z.object({ from: day.optional(), to: day.optional() });
export type RevenueQuery = z.output<typeof RevenueQuery>;

/** Fees of paid sales by method, and every other fee less what the operator gave back. Decimal strings. */
const sums = { sales: z.partialRecord(z.enum(TransactionMethod), amount), others: amount, total: amount };

/** What the platform earned in real money. */
export const Revenue = z.object({
  from: day,
  to: day,
  total: z.object(sums),
  /** What was earned and given back otherwise than by sales, by the posting, in the order of the ledger's chart. */
  kinds: z.array(z.object({ type: z.string(), amount })),
  /** Each month that has any, as far as it is in the period, the newest first. */
  months: z.array(z.object({ month: z.string(), ...sums })),
  /** Each day that has any, the newest first. */
  days: z.array(z.object({ day, ...sums })),
  /** The accounts that paid most. */
  accounts: z.array(z.object({ id: z.uuid(), name: z.string(), ...sums })),
});
export type Revenue = z.output<typeof Revenue>;
