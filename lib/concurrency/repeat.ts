/**
 * Repeats `run`, with a pause of `everyMs` before each time, until the returned function is called, which waits for the
 * run under way. `run` never overlaps itself in this process.
 */
export function repeat(everyMs: number, run: () => Promise<unknown>, failed: (error: unknown) => void) {
  let timer: NodeJS.Timeout;
  let stopped = false;
  let running = Promise.resolve();
  const turn = () => {
    running = run()
      .catch(failed)
      .then(() => {
        if (!stopped) timer = setTimeout(turn, everyMs);
      });
  };
  timer = setTimeout(turn, everyMs);
  return () => {
    stopped = true;
    clearTimeout(timer);
    return running;
  };
}
