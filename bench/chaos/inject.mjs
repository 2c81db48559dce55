import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { bringUp } from "./installation.mjs";
import { saleOf } from "./partner.mjs";
import { until } from "./processes.mjs";
import { seeded } from "./random.mjs";

const BETWEEN_MS = [500, 2_500];
/** A connection that was just cut may still seem to answer. */
const AFTER_FAULT_MS = 500;
const IN_HAND = 5;
const DELIVERED_WITHIN_MS = 30_000;

/**
 * Injects the planned faults one after the other while the senders go on, and measures after each how long it took
 * until work was done again. Returns a line for each fault. Stops when the time is over.
 */
export async function injectFaults(context, plan, { kinds, minutes, seed, records }) {
  const over = performance.now() + minutes * 60_000;
  const faults = [];
  let beside = Promise.resolve();
  const inject = async (kind, number) => {
    // Each fault has a generator of its own, so that one fault does not change the next.
    const random = seeded(seed * 1_000 + number);
    if (!kinds[kind].beside) await sleep(random.between(...BETWEEN_MS));
    const fault = {
      number,
      kind,
      load: Math.round(loadavg()[0]),
      ...(await injectOne({ ...context, number, random }, kinds[kind])),
    };
    records.noteFault(fault);
    faults.push(fault);
    print(fault, plan.length);
    return fault;
  };
  for (const [index, kind] of plan.entries()) {
    if (performance.now() > over) break;
    if (kinds[kind].beside) {
      beside = beside.then(() => inject(kind, index + 1));
      continue;
    }
    const { gaveUp } = await inject(kind, index + 1);
    if (gaveUp) break;
  }
  await beside;
  return faults;
}

async function injectOne(context, { run, apart = false }) {
  if (apart) {
    try {
      return { target: await run(context) };
    } catch (error) {
      return { target: "an installation of its own", notUp: error.message };
    }
  }
  const { probe, probeToken, installation } = context;
  const inHand = await probe.burst(IN_HAND);
  const done = await attempt(() => run(context));
  const endedAt = performance.now();
  await sleep(AFTER_FAULT_MS);
  try {
    const resumed = await measure(context, inHand, endedAt);
    resumed.rescues += await bringUp(installation, () => installation.isWhole(probeToken));
    return { ...done, ...resumed };
  } catch (error) {
    return { ...done, gaveUp: error.message, rescues: 0 };
  }
}

/** A fault that cannot be injected, because another one is not over yet, does not stop the run. */
async function attempt(run) {
  try {
    return { target: await run() };
  } catch (error) {
    return { target: `not done: ${error.message || error.code}`, isMissing: true };
  }
}

/**
 * Measures from the first 200 of a route that needs the database: `resumedMs` until the webhook of a later sale is
 * received, `inHandMs` until the webhooks of sales from just before the fault are.
 */
async function measure({ installation, probe, probeToken }, inHand, endedAt) {
  let rescues = 0;
  let upAt = 0;
  const later = probe.begin();
  do {
    rescues += await bringUp(installation, () => installation.answers(probeToken));
    upAt = performance.now();
  } while (!(await probe.ask(later)));
  const earlier = inHand.map(saleOf).filter(Boolean);
  const all = [saleOf(later), ...earlier];
  await until(() => all.every(probe.receivedAt), DELIVERED_WITHIN_MS, false);
  const latest = (ids) => Math.max(0, ...ids.map((id) => (probe.receivedAt(id) ?? Infinity) - upAt));
  return {
    rescues,
    downMs: Math.round(upAt - endedAt),
    resumedMs: Math.round(latest([saleOf(later)])),
    inHandMs: Math.round(latest(earlier)),
    missing: all.filter((id) => !probe.receivedAt(id)),
  };
}

function print(fault, count) {
  const { number, kind, target, notUp, gaveUp, rescues, downMs, resumedMs, inHandMs, load } = fault;
  const seconds = (ms) => (ms === Infinity ? "never" : `${(ms / 1000).toFixed(1)} s`);
  const what = `  ${String(number).padStart(3)}/${count}  ${kind.padEnd(18)} ${String(target).slice(0, 48).padEnd(48)}`;
  if (notUp || gaveUp) return console.log(`${what} ${(notUp ?? gaveUp).replaceAll("\n", " ").slice(-150)}`);
  if (downMs === undefined) return console.log(`${what} came up`);
  const rescued = rescues > 0 ? `, did not recover ${rescues}×` : "";
  console.log(
    `${what} up after ${seconds(downMs)}, webhook ${seconds(resumedMs)}, in hand ${seconds(inHandMs)}${rescued} (load ${load})`,
  );
}
