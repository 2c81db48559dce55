import type { AccountContext } from "@/lib/accounts/context";
import { readFor } from "@/lib/db";
import type { CsvRecord } from "@/lib/lists/csv";
import { decimal } from "@/lib/money";
import { askIn } from "@/lib/statement/ask";
import { balancesAfter } from "@/lib/statement/balances";
import { readCauses } from "@/lib/statement/causes";
import { lineOf } from "@/lib/statement/lines";
import type { Row } from "@/lib/statement/present";
import { isWhole, momentOf, olderThan, readRows } from "@/lib/statement/read";
import type { StatementExport } from "@/lib/statement/schema";
import { readSpans, type Span } from "@/lib/statement/spans";
import { wordsOf } from "@/lib/statement/words";
import { localTime } from "@/lib/time/calendar";

const CHUNK = 2_500;

/**
 * The lines of the list, all of them, in batches of records of a CSV file. The days are read once, and their lines some thousand
 * at a time, with no transaction in between. The balances of the first line are carried on from line to line.
 */
export async function* exportStatement({ id }: AccountContext, query: StatementExport): AsyncGenerator<CsvRecord[]> {
  let spans: Span[] | undefined;
  let last: Row | undefined;
  let balances: Balances | null = null;
  do {
    const after = last;
    const chunk = await readFor(id, async (tx) => {
      const ask = askIn(tx);
      spans = after ? olderThan(spans ?? [], momentOf(after)) : await readSpans(ask, id, query);
      const rows = await readRows(ask, id, spans, query, { order: "desc", skip: 0, take: CHUNK });
      if (!after && rows[0] && isWhole(query)) balances = await balancesAfter(ask, id, momentOf(rows[0]));
      return { rows, balances, causeOf: await readCauses(ask, id, rows) };
    });
    yield recordsOf(chunk, query);
    last = chunk.rows.length === CHUNK ? chunk.rows.at(-1) : undefined;
  } while (last);
}

type Balances = Awaited<ReturnType<typeof balancesAfter>>;

type Chunk = {
  rows: Row[];
  balances: Balances | null;
  causeOf: Awaited<ReturnType<typeof readCauses>>;
};

function recordsOf({ rows, balances, causeOf }: Chunk, { language }: StatementExport): CsvRecord[] {
  return rows.map((row): CsvRecord => {
    const { id, created_at, type, kind, amount } = row;
    const { party, reason, record } = causeOf(row);
    const after = balances && { decimal: decimal(balances[kind]) };
    if (balances) balances[kind] -= amount;
    const words = [type, wordsOf(language, row, party), lineOf(row)?.topic ?? null, record?.id ?? null, reason];
    return [String(id), localTime(new Date(created_at)), ...words, kind, { decimal: decimal(amount) }, after];
  });
}
