import DataLoader from "dataloader";

/** How many round trips of one kind may be on their way at once; what arrives meanwhile goes together in the next. */
const ON_THEIR_WAY = 2;
const MOST = 200;

/**
 * Does what many callers ask for at once in one round trip: alone a caller does not wait, under load hundreds share.
 * `run` answers in the order it was asked, for all or, by throwing, for none. Nothing is remembered.
 */
export function together<Asked, Answer>(run: (asked: readonly Asked[]) => Promise<readonly Answer[]>) {
  let onTheirWay = 0;
  const next: (() => void)[] = [];

  const loader = new DataLoader<Asked, Answer>(
    async (asked) => {
      try {
        return await run(asked);
      } finally {
        const waiting = next.shift();
        if (waiting) waiting();
        else onTheirWay--;
      }
    },
    {
      cache: false,
      maxBatchSize: MOST,
      batchScheduleFn: (send) => {
        if (onTheirWay >= ON_THEIR_WAY) return next.push(send);
        onTheirWay++;
        return setImmediate(send);
      },
    },
  );
  return (asked: Asked): Promise<Answer> => loader.load(asked);
}

/**
 * Lets so many pieces of work run at once, and so many more wait for their turn, first come first served. `refuse` makes
 * the error of one that finds no place to wait.
 */
export function gate(width: number, waiting: number, refuse: () => Error) {
  const queue: (() => void)[] = [];
  let running = 0;
  return async function enter<T>(work: () => Promise<T>): Promise<T> {
    if (running < width) running += 1;
    else if (queue.length < waiting) await new Promise<void>((turn) => queue.push(turn));
    else throw refuse();
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next)
        next(); // its place is handed on
      else running -= 1;
    }
  };
}

/** Gathers what a source yields into batches. */
export async function* inBatches<T>(source: AsyncIterable<T>, size = 1_000): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of source) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
