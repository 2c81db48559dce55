import { z } from "zod";

/** The text of a file, in pieces of whole lines, of records that `mask` was applied to. */
export type CsvLines = (mask: (record: unknown) => unknown) => AsyncIterable<string>;
export const CsvLines = z.custom<CsvLines>();

/** `raw` for programs; `excel` as a Brazilian Excel opens it: semicolons, decimal commas and a byte-order mark. */
export const CsvFormat = z.enum(["raw", "excel"]).default("raw");
export type CsvFormat = z.output<typeof CsvFormat>;

/** A decimal string with a point, which Excel needs with a comma. */
export type Decimal = { decimal: string };
type Cell = string | Decimal | null;
export type CsvRecord = readonly Cell[];

/**
 * Writes records as a CSV file, one piece for each batch that is read, the first with the head; `cellsOf` makes cells of what
 * is no list of cells. A text that a spreadsheet would calculate is shown as text: names are what anybody wrote (OWASP, CSV
 * injection).
 */
export const csvLines = <R = CsvRecord>(
  format: CsvFormat,
  head: readonly string[],
  batches: AsyncIterable<readonly R[]>,
  cellsOf = (record: R) => record as CsvRecord,
): CsvLines =>
  async function* lines(mask) {
    const [mark, comma] = format === "excel" ? ["\uFEFF", ";"] : ["", ","];
    const line = (cells: CsvRecord) => `${cells.map((cell) => written(cell, format)).join(comma)}\r\n`;
    let before = mark + line(head);
    for await (const batch of batches) {
      yield before + batch.map((record) => line(cellsOf(mask(record) as R))).join("");
      before = "";
    }
  };

function written(cell: Cell, format: CsvFormat): string {
  if (cell === null) return "";
  if (typeof cell !== "string") return format === "excel" ? cell.decimal.replace(".", ",") : cell.decimal;
  if (format === "excel" && /\p{N}/u.test(cell)) return quoted(formulaOf(cell));
  return quoted(/^\s*[=+\-@＝＋－＠]/.test(cell) ? `'${cell}` : cell);
}

/**
 * A formula whose value is the text. Excel reads whatever looks like a number, a date or a fraction as one, quotes or not:
 * 00123, 1/2, 1E5, a CPF, 20 digits. Such text has a digit, and of other text the formula shows the same.
 */
const formulaOf = (text: string) => `=${text.match(OF_FORMULA)?.map(literal).join("&") ?? '""'}`;
const literal = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** A text in a formula has 255 characters at most. */
const OF_FORMULA = /.{1,120}/gsu;

/** Quoted also for the separators of the other format, by which a spreadsheet may split a text all the same. */
const quoted = (text: string) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
