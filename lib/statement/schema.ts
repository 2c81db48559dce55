import { z } from "zod";
import { Balance } from "@/lib/accounts/schema";
import { CursorMeta, CursorQuery } from "@/lib/lists/pagination";
import { time } from "@/lib/time/schema";

/** GET /api/dashboard/v1/statement: `cursor` is the `next_cursor` of the page before. */
export const StatementQuery = CursorQuery.extend({
  cursor: z.string().max(18).regex(/^\d+$/).optional(),
});
export type StatementQuery = z.output<typeof StatementQuery>;

/** One line of an account's statement: by how much one of its balances changed, and why. */
export const StatementLine = z.object({
  id: z.string(),
  /** What happened: a row of the ledger's chart. */
  type: z.string(),
  balance: z.enum(["available", "pending", "blocked", "held"]),
  amount: z.string().meta({ description: "Reais, two decimals, negative for what went", example: "-19.99" }),
  /** What the operator wrote of its adjustment. */
  reason: z.string().nullable(),
  /** The sale or refund that it is about, where it has a page. */
  record: z.object({ subject: z.enum(["transaction", "refund", "dispute"]), id: z.string() }).nullable(),
  /** In real time. */
  created_at: time,
});
export type StatementLine = z.output<typeof StatementLine>;

export const StatementPage = z.object({
  data: z.array(StatementLine),
  meta: CursorMeta.extend({ next_cursor: z.string().nullable(), balance: Balance }),
});
export type StatementPage = z.output<typeof StatementPage>;
