/**
 * Lets `width` pieces of work run at once and `waiting` more wait in line. Work that finds the line full is rejected
 * with the error that `refuse` makes.
 */
export function concurrencyLimit(width: number, waiting: number, refuse: () => Error) {
  const enter = concurrencyLimits({ width: () => width, waiting }, refuse);
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
export function concurrencyLimits({ width, waiting, withinMs, restMs }: Bounds, refuse: () => Error) {
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
