/** Runs again and again, never twice at once here, until the returned function is called. */
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
