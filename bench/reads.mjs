import { table } from "./figures.mjs";

const TARGET_MS = 50;

/**
 * Measures reads that a person waits for, each kind alone for a while, and prints them. `reads` has the path of each kind,
 * varied by the number of the read; `tokenOf` says whose token reads a kind.
 */
export async function measureReads(url, seconds, reads, tokenOf) {
  const measured = [];
  for (const [name, pathOf] of Object.entries(reads)) await measure(url, tokenOf(name), pathOf, 0); // a warm-up
  for (const [name, pathOf] of Object.entries(reads)) {
    measured.push({ name, ...(await measure(url, tokenOf(name), pathOf, seconds * 1000)) });
  }
  table([
    ["ms", "p50", "p95", "max", "reads", "rows"],
    ...measured.map(({ name, p50, p95, max, count, rows }) => [name, ms(p50), ms(p95), ms(max), count, rows]),
  ]);
  return measured;
}

const ms = (value) => value.toFixed(1);

/** The figure that every list is held to. */
export function slowestOf(measured) {
  const slowest = measured.reduce((one, other) => (one.p95 >= other.p95 ? one : other));
  return { what: `the slowest p95 (${slowest.name}), ms`, value: slowest.p95, atMost: TARGET_MS, digits: 0 };
}

/** Reads one after the other for a while, after a few that only warm up. */
async function measure(url, token, pathOf, forMs) {
  const times = [];
  let rows;
  const until = performance.now() + forMs;
  for (let n = 0; n < 25 || performance.now() < until; n++) {
    const startedAt = performance.now();
    const response = await fetch(url + pathOf(n), { headers: { authorization: `Bearer ${token}` } });
    const { data } = await response.json();
    if (response.status !== 200) throw new Error(`Void: ${pathOf(n)} gave ${response.status}`);
    if (n >= 5) times.push(performance.now() - startedAt);
    rows = Array.isArray(data) ? data.length : "";
  }
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
  return { p50: at(0.5), p95: at(0.95), max: times.at(-1), count: times.length, rows };
}
