import { Readable } from "node:stream";
import type { CsvLines } from "@/lib/csv";

/** The answer with a CSV file as its body. Its lines are read as fast as the caller takes them. */
export const csvOf = (name: string, lines: CsvLines) => ({
  answer: { status: 200, body: "" },
  code: undefined,
  stream: Readable.toWeb(Readable.from(lines, { objectMode: false })) as ReadableStream,
  headers: { "content-type": "text/csv; charset=utf-8", "content-disposition": `attachment; filename="${name}"` },
});
