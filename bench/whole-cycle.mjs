import { until } from "./chaos/processes.mjs";
import { costOf, idle, reported } from "./costs.mjs";
import { openCycles } from "./cycles.mjs";
import { npmStart } from "./environment.mjs";
import { machineLoad, median, medianRatio, percentile, table } from "./figures.mjs";
import { openReceiver } from "./receiver.mjs";

const SENDERS = 16;
const SELLERS = 100;
const PACED_PER_SECOND = 100;
/** How long the last cycles may take, and then their webhooks. What is not there after that is said. */
const SETTLED_WITHIN_MS = 120_000;
const RECEIVED_WITHIN_MS = 120_000;
const MEGABYTE = 1024 * 1024;

/** From cash-in to the received webhook, by 16 senders and at a given pace, and what the server does afterwards. */
export async function wholeCycle(environment, { seconds, rounds, minutes }) {
  const at = await openWholeCycle(environment, { sellers: await environment.fixtures.makeSellers(SELLERS) });
  const { server, receiver, cycles, sellers } = at;
  const started = (await server.ask()).resident;
  const subjects = { "1 seller": sellers.slice(0, 1), [`${SELLERS} sellers`]: sellers };
  const runs = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  if (minutes) return keepUp(at, sellers.slice(0, 1), minutes);
  for (let round = 0; round < rounds; round++) {
    for (const [name, some] of Object.entries(subjects)) {
      const run = () => cycles.closed({ sellers: some, senders: SENDERS, seconds });
      runs[name].push(await measured(at, run));
    }
    console.log(`  round ${round + 1} done, load ${machineLoad()}`);
  }
  const pace = { perSecond: PACED_PER_SECOND, seconds: 2 * seconds };
  await reported();
  const paced = await measured(at, () => cycles.paced({ sellers: sellers.slice(0, 1), ...pace }), reported);
  const afterwards = await idle(at, server);
  await cycles.close();
  await server.stop();
  if (receiver.faults.length > 0) throw new Error(`Void: a signature is wrong: ${receiver.faults[0]}`);
  print(runs, paced);
  printMemory(started, [...Object.values(runs).flat(), paced], afterwards);
  const rates = Object.entries(runs).map(([name, some]) => ({
    what: `cycles a second to settled, ${SENDERS} senders, ${name},`,
    value: median(some.map(({ perSecond }) => perSecond)),
    atLeast: 150,
    digits: 0,
  }));
  const received = Object.entries(runs).map(([name, some]) => ({
    what: `webhooks received a second over cycles settled, ${name},`,
    value: medianRatio(
      some.map(({ receivedPerSecond }) => receivedPerSecond),
      some.map(({ perSecond }) => perSecond),
    ),
    atLeast: 0.9,
  }));
  return [...rates, ...received, ...aimsOfPaced(paced), ...aimsOfIdle(afterwards)];
}

/** The server, sellers with a webhook each, their receiver, and what makes cycles, which `pay` pays. */
export async function openWholeCycle(environment, { sellers, isLive = false, pay }) {
  const { owner, start, port } = environment;
  const here = { NODE_OPTIONS: `--import ${new URL("receiver-here.mjs", import.meta.url)}` };
  const server = await start(...npmStart, isLive ? here : {});
  const receiver = await openReceiver(port(), { isLive });
  await owner.query("update accounts set storage_limit_mb = 102400");
  for (const seller of sellers) await receiver.register(server.url, seller);
  return { ...environment, server, receiver, sellers, cycles: openCycles(owner, server.url, pay) };
}

/** A run until every cycle is settled and notified, with its costs for each cycle and its latencies in ms. */
export async function measured(at, run, afterwards = () => {}) {
  const { server, receiver, cycles } = at;
  const { result, costs } = await costOf(at, server, async () => {
    const { made, perSecond, window } = await run();
    const endedAt = performance.now();
    await until(() => cycles.unsettled() === 0, SETTLED_WITHIN_MS, false);
    if (cycles.unsettled() > 0) console.log(`  ${cycles.unsettled()} cycles were not settled in time`);
    const settledMs = performance.now() - endedAt;
    await until(() => made.every(({ id }) => receiver.got.has(id)), RECEIVED_WITHIN_MS, false);
    const receivedMs = performance.now() - endedAt;
    await afterwards();
    return { made, perSecond, window, settledMs, receivedMs };
  });
  const { made, ...figures } = result;
  const times = await cycles.times(made);
  const notified = times.filter(({ id }) => receiver.got.has(id));
  if (notified.length < made.length)
    console.log(`  ${made.length - notified.length} webhooks were not received in time`);
  const each = (name) => costs[name] / made.length;
  return {
    ...figures,
    made: made.length,
    cashIn: sortedOf(made.map(({ cashInMs }) => cashInMs)),
    receivedPerSecond: figures.window && receivedIn(figures.window, made, receiver),
    settled: sortedOf(times.map(({ paid, settled }) => settled - paid)),
    received: sortedOf(notified.map(({ id, paid }) => receiver.got.get(id) - paid)),
    each: Object.fromEntries(
      ["cpuMs", "databaseMs", "trips", "sent", "wal", "inserted", "updated", "deleted"].map((n) => [n, each(n)]),
    ),
    costs,
  };
}

/** How many webhooks of these cycles were received a second, between two instants. */
function receivedIn([from, to], made, { got }) {
  const count = made.filter(({ id }) => got.get(id) >= from && got.get(id) < to).length;
  return count / ((to - from) / 1000);
}

const sortedOf = (numbers) => numbers.sort((a, b) => a - b);

/** Keeps 16 senders going for `minutes` and looks at the memory every half minute. */
async function keepUp(at, sellers, minutes) {
  const { server, cycles } = at;
  const resident = [];
  const rates = [];
  for (let half = 0; half < 2 * minutes; half++) {
    const run = () => cycles.closed({ sellers, senders: SENDERS, seconds: 29 });
    const { result, costs } = await costOf(at, server, run);
    resident.push(costs.rss);
    rates.push(result.perSecond);
    console.log(
      `  ${(half + 1) / 2} min: ${result.perSecond.toFixed(0)} cycles/s, at most ${megabytes(costs.rss)} MB resident, load ${machineLoad()}`,
    );
  }
  await cycles.close();
  await server.stop();
  const [middle, end] = [
    resident.slice(resident.length / 3, (2 * resident.length) / 3),
    resident.slice(-resident.length / 3),
  ];
  return [
    { what: "cycles a second to settled", value: median(rates), atLeast: 150, digits: 0 },
    { what: "most memory, MB resident", value: Math.max(...resident) / MEGABYTE, atMost: 400, digits: 0 },
    { what: "memory of the last third over the middle one", value: median(end) / median(middle), atMost: 1.05 },
  ];
}

function print(runs, paced) {
  const all = { ...runs, [`${PACED_PER_SECOND}/s, 1 seller`]: [paced] };
  const of = (some, read) => median(some.map(read));
  table([
    [
      "median",
      "settled/s",
      "received/s",
      "paid → settled p50 ms",
      "p99",
      "→ received p50 ms",
      "p99",
      "drained after s",
      "loop p99 ms",
    ],
    ...Object.entries(all).map(([name, some]) => [
      name,
      some[0].perSecond === undefined ? "" : of(some, ({ perSecond }) => perSecond).toFixed(0),
      some[0].perSecond === undefined ? "" : of(some, ({ receivedPerSecond }) => receivedPerSecond).toFixed(0),
      of(some, ({ settled }) => percentile(settled, 0.5)).toFixed(0),
      of(some, ({ settled }) => percentile(settled, 0.99)).toFixed(0),
      of(some, ({ received }) => percentile(received, 0.5)).toFixed(0),
      of(some, ({ received }) => percentile(received, 0.99)).toFixed(0),
      of(some, ({ settledMs, receivedMs }) => Math.max(settledMs, receivedMs) / 1000).toFixed(1),
      of(some, ({ costs }) => costs.delayMs.p99).toFixed(0),
    ]),
  ]);
  const rows = ["inserted", "updated", "deleted"];
  table([
    ["each cycle", "CPU ms", "of PostgreSQL", "statements", "round trips", "WAL bytes", ...rows],
    ...Object.entries(all).map(([name, some]) => [
      name,
      of(some, ({ each }) => each.cpuMs).toFixed(1),
      of(some, ({ each }) => each.databaseMs).toFixed(1),
      of(some, ({ each }) => each.sent).toFixed(1),
      of(some, ({ each }) => each.trips).toFixed(1),
      of(some, ({ each }) => each.wal).toFixed(0),
      ...rows.map((row) => (some[0] === paced ? paced.each[row].toFixed(1) : "")),
    ]),
  ]);
}

function printMemory(started, runs, { resident }) {
  const most = Math.max(...runs.map(({ costs }) => costs.rss));
  console.log(
    `  MB resident: ${megabytes(started)} at the start, at most ${megabytes(most)}, ${megabytes(resident)} idle`,
  );
}

const megabytes = (bytes) => (bytes / MEGABYTE).toFixed(0);

const aimsOfPaced = ({ settled, received }) =>
  [
    ["settled p99", percentile(settled, 0.99), 500],
    ["received p50", percentile(received, 0.5), 200],
    ["received p99", percentile(received, 0.99), 1_000],
  ].map(([what, value, atMost]) => ({
    what: `paid → ${what} at ${PACED_PER_SECOND} payments/s, ms`,
    value,
    atMost,
    digits: 0,
  }));

/** The aims of an idle server. */
export const aimsOfIdle = ({ commits, wal, cpuPercent }) => [
  { what: "idle, commits/s", value: commits, atMost: 5, digits: 1 },
  { what: "idle, bytes of WAL/s", value: wal, atMost: 2_048, digits: 0 },
  { what: "idle, % of a core", value: cpuPercent, atMost: 1 },
];
