/**
 * Makes a read that many may ask for cost one at a time: who asks while it runs shares it, and its result serves for
 * `forMs` after it ended. A failure is remembered as long, so that what is away is not asked again and again.
 */
export function remember<T>(forMs: number, read: () => Promise<T>): () => Promise<T> {
  let last: { result: Promise<T>; until: number } | undefined;
  return () => {
    if (last && performance.now() < last.until) return last.result;
    const fresh = { result: read(), until: Number.POSITIVE_INFINITY };
    const ended = () => {
      fresh.until = performance.now() + forMs;
    };
    fresh.result.then(ended, ended);
    last = fresh;
    return fresh.result;
  };
}
