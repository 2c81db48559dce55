import DataLoader from "dataloader";

/** How many round trips of one kind may run at once; callers that arrive meanwhile share the next one. */
const ROUND_TRIPS = 2;
const BATCH_LIMIT = 200;

/**
 * Serves many callers with one round trip. A single caller does not wait; under load hundreds share. `run` answers in
 * the order of its arguments, each with an answer or an error, or, by throwing, with one error for all. Nothing is
 * cached.
 */
export function coalesce<Asked, Answer>(run: (asked: readonly Asked[]) => Promise<readonly (Answer | Error)[]>) {
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
export function coalesceBy<Asked, Answer>(
  run: (name: string, asked: readonly Asked[]) => Promise<readonly (Answer | Error)[]>,
) {
  const names = new Map<string, { ask: (asked: Asked) => Promise<Answer>; asking: number }>();
  return async (name: string, asked: Asked): Promise<Answer> => {
    const one = names.get(name) ?? { ask: coalesce<Asked, Answer>((some) => run(name, some)), asking: 0 };
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
