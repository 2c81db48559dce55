/**
 * Lets `width` pieces of work run at once and `waiting` more wait in a queue. Work that finds the queue full is rejected
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
  /** How long one waits in the queue before it is refused; without it as long as it takes. */
  withinMs?: number;
  /** How long a place that was used for so long stays empty although others wait for it; without it not at all. */
  cooldownMs?(usedMs: number): number;
};

type Queued = { running: number; queue: Set<() => void> };

/** A concurrency limit for each name, such as that of an account. Nothing is kept of a name for which nothing runs. */
export function concurrencyLimits({ width, waiting, withinMs, cooldownMs }: Bounds, refuse: () => Error) {
  const names = new Map<string, Queued>();
  return async function enter<T>(name: string, work: () => Promise<T>): Promise<T> {
    const one = names.get(name) ?? { running: 0, queue: new Set() };
    names.set(name, one);
    if (one.running < width()) one.running += 1;
    else if (one.queue.size < waiting) await turnIn(one.queue);
    else throw refuse();
    const began = performance.now();
    try {
      return await work();
    } finally {
      const cooldown = one.queue.size > 0 ? cooldownMs?.(performance.now() - began) : 0;
      if (cooldown) setTimeout(leave, cooldown, name, one);
      else leave(name, one);
    }
  };

  function leave(name: string, one: Queued) {
    one.running -= 1;
    for (const turn of one.queue) {
      if (one.running >= width()) break;
      one.running += 1;
      turn(); // the first in the queue gets this place
    }
    if (one.running === 0) names.delete(name);
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
