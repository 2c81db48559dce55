import { z } from "zod";
import { CsvFormat } from "@/lib/lists/csv";
import { CursorMeta, CursorQuery, Meta } from "@/lib/lists/pagination";
import { TransactionMethod } from "@/prisma/client/enums";

const Plan = z.object({ token: z.uuid(), name: z.string(), product: z.string().nullable() });
const Seller = z.object({ name: z.string(), email: z.string() });
const amount = z.string().meta({ description: "Reais, two decimals", example: "19.99" });
const month = z
  .string()
  .max(7)
  .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, "Informe o mês como AAAA-MM.");

/** What it earned, what of that went back with refunds, and what is left. */
const amounts = { amount, returned: amount, left: amount };

/** What the account earned by its share of one paid sale; without a plan the seller named it in the sale itself. */
export const Earning = z.object({
  id: z.uuid(),
  ...amounts,
  percentage: z.string().meta({ description: "Percent of the net value, two decimals", example: "12.50" }),
  method: z.enum(TransactionMethod),
  cause: z.enum(["plan", "sale"]).meta({ description: "Agreed by a plan's split, or named by the seller in the sale" }),
  paid_at: z.string(),
  plan: Plan.nullable(),
  seller: Seller,
});
export type Earning = z.output<typeof Earning>;

const filter = { month: month.optional(), plan: z.uuid().optional() };
export const EarningQuery = CursorQuery.extend(filter);
export type EarningQuery = z.output<typeof EarningQuery>;
export const EarningPage = z.object({ data: z.array(Earning), meta: CursorMeta });
export type EarningPage = z.output<typeof EarningPage>;

const EarningFilter = z.object(filter);
export type EarningFilter = z.output<typeof EarningFilter>;
export const EarningExport = EarningFilter.extend({ format: CsvFormat });
/** The head of the export's columns. */
export const exported = [
  ...["id", "paid_at", "seller", "cause", "product", "plan", "percentage", "amount", "returned", "left"],
];

/** What the account earned in a month by one plan of one seller. What goes back later counts in the month of the sale. */
export const EarningTotal = z.object({
  month: z.string().meta({ example: "2026-01" }),
  sales: z.int(),
  ...amounts,
  plan: Plan.nullable(),
  seller: Seller,
});
export type EarningTotal = z.output<typeof EarningTotal>;

/** What the account earned in a month by all plans. */
export const MonthTotal = EarningTotal.omit({ plan: true, seller: true });
export type MonthTotal = z.output<typeof MonthTotal>;

/** The totals of a page and, whatever the page, all that the current month has earned so far. */
export const TotalPage = z.object({ data: z.array(EarningTotal), meta: Meta.extend({ this_month: MonthTotal }) });
export type TotalPage = z.output<typeof TotalPage>;
