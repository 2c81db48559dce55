import { z } from "zod";
import { ownKinds } from "@/lib/ledger/chart";
import { CsvFormat } from "@/lib/lists/csv";
import { CursorMeta, Meta, PageQuery } from "@/lib/lists/pagination";
import { period } from "@/lib/lists/period";
import { time } from "@/lib/time/schema";
import { locales } from "@/messages";

/** The balances of which a statement has lines. */
export const BalanceKind = z.enum(ownKinds);

/** What a line is about, for filters and for the closing of a month. */
export const Topic = z.enum(["sales", "splits", "refunds", "disputes", "withdrawals", "fees", "adjustments"]);
export type Topic = z.output<typeof Topic>;

const filter = {
  ...period,
  balance: BalanceKind.optional().meta({ description: "Only lines of this balance" }),
  about: Topic.optional().meta({ description: "Only lines about this" }),
};
const lineId = z.string().max(18).regex(/^\d+$/).optional();

export const StatementFilter = z.object(filter);
export type StatementFilter = z.output<typeof StatementFilter>;

/** GET /statement: `cursor` goes on after the last line of a page, `newer` before its first; `newer=0` is the last page. */
export const StatementQuery = PageQuery.extend({ ...filter, cursor: lineId, newer: lineId });
export type StatementQuery = z.output<typeof StatementQuery>;

const amount = z.string().meta({ description: "Reais, two decimals, negative for what went", example: "-19.99" });

/** An account's four balances, and their sum. */
export const Balances = z.object({
  available: amount,
  pending: amount,
  blocked: amount,
  held: amount,
  total: amount,
});
export type Balances = z.output<typeof Balances>;

/** One line of an account's statement: by how much one of its balances changed, and why. */
export const StatementLine = z.object({
  id: z.string(),
  /** What happened: a row of the ledger's chart. */
  type: z.string(),
  balance: BalanceKind,
  /** Whether it is the fee beside an amount that left by the same posting. */
  is_fee: z.boolean(),
  description: z.string().meta({ description: "What happened, in Portuguese" }),
  amount,
  balance_after: amount.nullable().meta({
    description:
      "What that balance was after this line; null under `about` and under a period of instants, which leave lines out",
  }),
  /** Who has the other part of a shared sale. */
  party: z.string().nullable(),
  /** What its seller or the operator wrote of it. */
  reason: z.string().nullable(),
  record: z
    .object({
      subject: z.enum(["transaction", "refund", "earning", "withdrawal", "dispute"]),
      id: z.string(),
      path: z
        .string()
        .meta({ description: "Where the dashboard shows it", example: "/refunds/rfd_0192f0c17b5e7000800" }),
    })
    .nullable()
    .meta({ description: "What it is about, where that has a page" }),
  /** In real time. */
  created_at: time,
});
export type StatementLine = z.output<typeof StatementLine>;

export const StatementPage = z.object({
  data: z.array(StatementLine),
  meta: CursorMeta.extend({
    next_cursor: z.string().nullable(),
    previous_cursor: z
      .string()
      .nullable()
      .meta({ description: "What `newer` is for the page before; null at the first" }),
    balance: Balances.meta({ description: "At the end of the period, or now" }),
    opening: Balances.nullable().meta({ description: "At the start of the period; null without one" }),
  }),
});
export type StatementPage = z.output<typeof StatementPage>;

export const StatementExport = StatementFilter.extend({
  format: CsvFormat,
  language: z.enum(locales).default("pt-BR").meta({ description: "Of the descriptions" }),
});
export type StatementExport = z.output<typeof StatementExport>;
/** The head of the export's columns. */
export const exported = [
  ...["id", "created_at", "type", "description", "about", "reference", "reason", "balance", "amount", "balance_after"],
];

/** What the lines of a month were about, and what they came to. */
const MonthSum = z.object({ about: Topic, ...Balances.shape });
export const StatementMonth = z.object({
  month: z.string().meta({ example: "2026-01" }),
  opening: Balances,
  sums: z.array(MonthSum),
  closing: Balances,
  lines: z.int(),
});
export type StatementMonth = z.output<typeof StatementMonth>;
const month = z
  .string()
  .max(7)
  .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, "Informe o mês como AAAA-MM.");
export const MonthsQuery = PageQuery.extend({ month: month.optional() });
export type MonthsQuery = z.output<typeof MonthsQuery>;
export const MonthsPage = z.object({ data: z.array(StatementMonth), meta: Meta });
export type MonthsPage = z.output<typeof MonthsPage>;
