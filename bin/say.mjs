/** Says what takes long, and afterwards how long it took. Resolves to what `work` resolves to. */
export async function step(what, work) {
  const startedAt = performance.now();
  const live = process.stdout.isTTY;
  if (live) process.stdout.write(`${what} …`);
  try {
    const result = await work();
    console.log(`${live ? "\r" : ""}${what}: ${seconds(performance.now() - startedAt)}`);
    return result;
  } catch (error) {
    if (live) console.log();
    throw error;
  }
}

/** Says what went wrong. Not by the console, which the server puts into its log (lib/http/log-console.ts). */
export function complain(text) {
  process.stderr.write(`${text}\n`);
}

/** Milliseconds as people read them: `3.2 s`. */
export function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
