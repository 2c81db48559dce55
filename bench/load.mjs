import autocannon from "autocannon";

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;

/**
 * One run of `seconds` against a subject `{url, path, method?, body?, headers?, vary?, good?, apart?}`; `vary(n)` gives
 * the headers of the n-th request. Only answers of the status `good` (200) count. Those of `apart` are counted apart.
 * Throws when a single answer has another status, which makes the run void.
 */
export async function load({ url, path, method = "GET", body, headers = {}, vary, good = 200, apart }, seconds) {
  let sent = 0;
  const setupRequest = vary && ((request) => ({ ...request, headers: { ...headers, ...vary(sent++) } }));
  const result = await autocannon({
    url: url + path,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [{ method, path, body, headers, ...(setupRequest && { setupRequest }) }],
  });
  const none = { count: 0 };
  const { [good]: ok = none, [apart]: aside = none, ...others } = result.statusCodeStats ?? {};
  if (result.errors > 0 || result.timeouts > 0 || Object.keys(others).length > 0 || ok.count === 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(`Void: ${url}${path} gave ${result.errors} errors, ${result.timeouts} time-outs, ${statuses}`);
  }
  const p99 = result.latency.p99;
  return { requests: ok.count, apart: aside.count, perSecond: ok.count / result.duration, p99 };
}

/** Loads every subject in turn, round after round, so that a busy machine is busy for all. Returns rates by name and round. */
export async function alternate(subjects, { rounds, seconds }, around = (_name, run) => run()) {
  const rates = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (const subject of Object.values(subjects)) {
    await answered(subject);
    await load(subject, WARM_UP_SECONDS);
  }
  for (let round = 0; round < rounds; round++) {
    for (const [name, subject] of Object.entries(subjects)) {
      const { perSecond } = await around(name, () => load(subject, seconds));
      rates[name].push(perSecond);
    }
    console.log(`  round ${round + 1}: ${lineOf(rates, round)}`);
  }
  return rates;
}

/** Waits for one answer: a program that loads the route for it may need longer than the warm-up. */
async function answered({ url, path, method, body, headers, vary }) {
  const response = await fetch(url + path, { method, body, headers: { ...headers, ...vary?.(0) } });
  await response.arrayBuffer();
}

const lineOf = (rates, round) =>
  Object.entries(rates)
    .map(([name, values]) => `${name} ${values[round].toFixed(0)}/s`)
    .join(", ");
