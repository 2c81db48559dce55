import { isAway, type Query, transactionOverAll } from "@/lib/db";
import { type DueRows, findDue, findDueOf, findGiven, idOf, keyOf, keysOf, startOf } from "@/lib/due/find";
import { log } from "@/lib/log";

/** How long a row that could not be done is left alone. Another process tries it meanwhile. */
const LEFT_ALONE_MS = 60_000;

/** A set that took longer and failed was too large, whatever the error says. */
const TOO_LONG_MS = 10_000;
/** In how many sets that succeed one that was too large has its full size again. */
const GROWS_IN = 20;

/** A row that was found; `dueAt` is null where it is due by its account's clock alone, or was found by its key. */
type Found = { dueAt: string | null };

type Work<Row> = {
  /** For the log. */
  name: string;
  rows: DueRows;
  /** SQL: what is read of the row `t` beside its key, each with a comma before it. */
  columns?: string;
  /** How many rows a set has at most. */
  limit: number;
  /** Does a set of rows, in the transaction that has locked them. */
  act(query: Query, rows: readonly Row[]): Promise<unknown>;
};

/**
 * Makes a loop's function, which does one set of the rows that are due, the longest due first, in the transaction that locked
 * them, and returns whether more may be due. With `accountId`, it does those of one account.
 *
 * A set that fails is done by halves until the row that fails is alone: it is logged and left alone for a minute, so that
 * it neither stops the others nor is tried all the time. After a set that failed because it took too long, the next
 * one is half as large. Any number of processes may work at once: a row that another transaction has locked is
 * left for later. Throws while the database is away.
 */
export function dueInSets<Row extends object>({
  name,
  rows,
  columns = "",
  limit,
  act,
}: Work<Row>): (accountId?: string) => Promise<boolean> {
  const first = startOf(rows.key);
  const textOfGiven = findGiven(rows, columns);
  const apart = leftAlone();
  // A set is found from where the one before ended, because an index still has what that one did.
  let after = first;
  let size = limit;

  return async (accountId) => {
    let found: (Row & Found)[] = [];
    const asked = size;
    const set = async (query: Query) => {
      found = accountId
        ? await query("", findDueOf(rows, columns, asked), [apart.ids(), accountId])
        : await query("", findDue(rows, columns, asked), [after.dueAt, after.id, apart.ids()]);
      if (found.length > 0) await act(query, found);
    };
    const began = performance.now();
    try {
      await transactionOverAll(set);
      size = Math.min(limit, size + Math.ceil(limit / GROWS_IN));
    } catch (error) {
      if (performance.now() - began > TOO_LONG_MS) size = Math.ceil(asked / 2);
      if (isAway(error) || found.length === 0) throw error;
      await byHalves(found, doAgain, leaveAlone);
    }
    const isFull = found.length === asked;
    if (accountId) return isFull;
    const last = found.at(-1);
    after = isFull && last?.dueAt ? { dueAt: last.dueAt, id: idOf(rows.key, last) } : first;
    return isFull;
  };

  async function doAgain(some: readonly Row[]) {
    await transactionOverAll(async (query) => {
      const again = await query<Row>("", textOfGiven, keysOf(rows.key, some));
      if (again.length > 0) await act(query, again);
    });
  }

  function leaveAlone(row: Row, error: unknown) {
    apart.add(idOf(rows.key, row));
    log.error({ name, ...keyOf(rows.key, row), error }, "a row that is due could not be done");
  }
}

/**
 * Does by halves what failed together, and each half that fails by halves again, until what fails is alone. Throws where the
 * database is away.
 */
async function byHalves<Row>(
  rows: readonly Row[],
  act: (some: readonly Row[]) => Promise<unknown>,
  alone: (row: Row, error: unknown) => void,
): Promise<void> {
  for (const half of halvesOf(rows)) {
    try {
      await act(half);
    } catch (error) {
      if (isAway(error)) throw error;
      if (half.length === 1) alone(half[0] as Row, error);
      else await byHalves(half, act, alone);
    }
  }
}

/** Both halves; of one row only itself. */
export function halvesOf<Row>(rows: readonly Row[]): (readonly Row[])[] {
  const middle = Math.ceil(rows.length / 2);
  return [rows.slice(0, middle), rows.slice(middle)].filter(({ length }) => length > 0);
}

/** Remembers in this process which rows are left alone, each for a while. */
export function leftAlone() {
  const until = new Map<string, number>();
  return {
    add: (id: string, forMs = LEFT_ALONE_MS) => void until.set(id, performance.now() + forMs),
    ids(): string[] {
      for (const [id, at] of until) if (at < performance.now()) until.delete(id);
      return [...until.keys()];
    },
  };
}
