/**
 * Runs work with a signal that ends it after a time, as a `TimeoutError`, or when `stop` does. Node 20 may collect a signal
 * that `AbortSignal.any` made while it is still waited for, so that it never ends anything.
 */
export async function withinMs<T>(
  timeoutMs: number,
  stop: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController();
  const onStop = () => ending.abort(stop?.reason);
  const onTime = () => ending.abort(new DOMException("The time is over", "TimeoutError"));
  if (stop?.aborted) onStop();
  const timer = setTimeout(onTime, timeoutMs);
  stop?.addEventListener("abort", onStop);
  try {
    return await run(ending.signal);
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener("abort", onStop);
  }
}

/** What `work` resolves to, or a `TimeoutError` after a time, or an error when `stop` does. The work itself goes on. */
export function answeredWithin<T>(timeoutMs: number, work: Promise<T>, stop?: AbortSignal): Promise<T> {
  return withinMs(timeoutMs, stop, (signal) =>
    Promise.race([
      work,
      new Promise<never>((_, fail) => signal.addEventListener("abort", () => fail(signal.reason), { once: true })),
    ]),
  );
}
