/**
 * Prints what takes long, and afterwards how long it took.
 *
 * @template T
 * @param {string} what
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} What `work` resolves to.
 */
export async function step(what, work) {
  const startedAt = performance.now();
  const isTerminal = process.stdout.isTTY;
  if (isTerminal) process.stdout.write(`${what} …`);
  try {
    const result = await work();
    console.log(`${isTerminal ? "\r" : ""}${what}: ${seconds(performance.now() - startedAt)}`);
    return result;
  } catch (error) {
    if (isTerminal) console.log();
    throw error;
  }
}

/**
 * Prints what went wrong. The console would not do: the server puts it into its log (lib/http/log-console.ts).
 *
 * @param {string} text
 */
export function printError(text) {
  process.stderr.write(`${text}\n`);
}

/**
 * Milliseconds as people read them: `3.2 s`.
 *
 * @param {number} ms
 */
export function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
