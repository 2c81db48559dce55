import DataLoader from "dataloader";

/** How many round trips of one kind may run at once; callers that arrive meanwhile share the next one. */
const ROUND_TRIPS = 2;
const BATCH_LIMIT = 200;

/**
 * Serves many callers with one round trip. A single caller does not wait; under load hundreds share. `run` answers in
 * the order of its arguments, each with an answer or an error, or, by throwing, with one error for all. Nothing is
 * cached.
 */
export function together<Asked, Answer>(run: (asked: readonly Asked[]) => Promise<readonly (Answer | Error)[]>) {
  let underWay = 0;
  const next: (() => void)[] = [];

  const loader = new DataLoader<Asked, Answer>(
    async (asked) => {
      try {
        return await run(asked);
      } finally {
        const waiting = next.shift();
        if (waiting) waiting();
        else underWay--;
      }
    },
    {
      cache: false,
      maxBatchSize: BATCH_LIMIT,
      batchScheduleFn: (send) => {
        if (underWay >= ROUND_TRIPS) return next.push(send);
        underWay++;
        return setImmediate(send);
      },
    },
  );
  return (asked: Asked): Promise<Answer> => loader.load(asked);
}

/**
 * The same for each name, such as that of an account: only what one name asks is served together. Nothing is kept of a
 * name that asks nothing.
 */
export function togetherOf<Asked, Answer>(
  run: (name: string, asked: readonly Asked[]) => Promise<readonly (Answer | Error)[]>,
) {
  const names = new Map<string, { ask: (asked: Asked) => Promise<Answer>; asking: number }>();
  return async (name: string, asked: Asked): Promise<Answer> => {
    const one = names.get(name) ?? { ask: together<Asked, Answer>((some) => run(name, some)), asking: 0 };
    names.set(name, one);
    one.asking += 1;
    try {
      return await one.ask(asked);
    } finally {
      one.asking -= 1;
      if (one.asking === 0) names.delete(name);
    }
  };
}

/**
 * Lets `width` pieces of work run at once and `waiting` more wait in line. Work that finds the line full is rejected
 * with the error that `refuse` makes.
 */
export function gate(width: number, waiting: number, refuse: () => Error) {
  const enter = gates({ width: () => width, waiting }, refuse);
  return <T>(work: () => Promise<T>): Promise<T> => enter("", work);
}

type Bounds = {
  /** How many may run at once; asked for whenever work comes or ends. */
  width(): number;
  waiting: number;
  /** How long one waits in line before it is refused; without it as long as it takes. */
  withinMs?: number;
  /** How long a place that was held for so long stays empty although others wait in its line; without it not at all. */
  restMs?(heldMs: number): number;
};

type Line = { running: number; queue: Set<() => void> };

/** A gate for each name, such as that of an account. Nothing is kept of a name for which nothing runs. */
export function gates({ width, waiting, withinMs, restMs }: Bounds, refuse: () => Error) {
  const lines = new Map<string, Line>();
  return async function enter<T>(name: string, work: () => Promise<T>): Promise<T> {
    const line = lines.get(name) ?? { running: 0, queue: new Set() };
    lines.set(name, line);
    if (line.running < width()) line.running += 1;
    else if (line.queue.size < waiting) await turnIn(line.queue);
    else throw refuse();
    const began = performance.now();
    try {
      return await work();
    } finally {
      const rest = line.queue.size > 0 ? restMs?.(performance.now() - began) : 0;
      if (rest) setTimeout(leave, rest, name, line);
      else leave(name, line);
    }
  };

  function leave(name: string, line: Line) {
    line.running -= 1;
    for (const turn of line.queue) {
      if (line.running >= width()) break;
      line.running += 1;
      turn(); // the first in line gets this place
    }
    if (line.running === 0) lines.delete(name);
  }

  function turnIn(queue: Set<() => void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer);
        queue.delete(turn);
        resolve();
      };
      const giveUp = () => {
        queue.delete(turn);
        reject(refuse());
      };
      const timer = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs);
      queue.add(turn);
    });
  }
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

/** Runs work on every item, `width` at once. Rejects with the first error, and begins nothing more after it. */
export async function inParallel<T>(items: Iterable<T>, width: number, run: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items].values();
  let hasFailed = false;
  const work = async () => {
    for (const item of queue) {
      if (hasFailed) return;
      await run(item).catch((error) => {
        hasFailed = true;
        throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: width }, work));
}
