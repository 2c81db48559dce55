import { z } from "zod";

/** The lines of a CSV file, each with its end. */
export type CsvLines = AsyncIterable<string>;
export const CsvLines = z.custom<CsvLines>();

/** `raw` for programs; `excel` as a Brazilian Excel opens it: semicolons, decimal commas and a byte-order mark. */
export const CsvFormat = z.enum(["raw", "excel"]).default("raw");
export type CsvFormat = z.output<typeof CsvFormat>;

/** A decimal string with a point, which Excel needs with a comma. */
export type Decimal = { decimal: string };
type Cell = string | Decimal | null;

/**
 * Writes records as a CSV file, line by line as they are read. A text that a spreadsheet would calculate is shown as text:
 * names are what anybody wrote (OWASP, CSV injection).
 */
export async function* csvLines(format: CsvFormat, head: readonly string[], records: AsyncIterable<readonly Cell[]>) {
  const [mark, comma] = format === "excel" ? ["\uFEFF", ";"] : ["", ","];
  const line = (cells: readonly Cell[]) =>
    `${cells.map((cell) => quoted(textOf(cell, format), comma)).join(comma)}\r\n`;
  yield mark + line(head);
  for await (const cells of records) yield line(cells);
}

function textOf(cell: Cell, format: CsvFormat): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return format === "excel" ? cell.decimal.replace(".", ",") : cell.decimal;
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

const quoted = (text: string, comma: string) =>
  text.includes(comma) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
