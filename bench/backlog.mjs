import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { registerWebhook } from "./chaos/partner.mjs";
import { until } from "./chaos/processes.mjs";
import { costOf, idle } from "./costs.mjs";
import { bundled, npmStart } from "./environment.mjs";
import { machineLoad, median, medianRatio, percentile, table } from "./figures.mjs";
import { aimsOfIdle, measured, openWholeCycle } from "./whole-cycle.mjs";

const CHARGES = 200_000;
const SENDERS = 16;
/** After this the rate says how long the rest would take. */
const EXPIRED_WITHIN_MS = 90_000;
const QUIET_WITHIN_S = 60;
/** Round trips in a second. */
const QUIET_TRIPS = 20;
/** How long the server may take to begin, how long it works until it is asked to stop, and when it is ended by force. */
const BEGUN_WITHIN_MS = 15_000;
const WORKING_MS = 1_000;
const ENDED_WITHIN_MS = 60_000;
const DAY_MS = 86_400_000;

const PENDING = "select count(*)::int as count from transactions where account_id = $1 and status = 'pending'";
const TOLD = "select count(*)::int as count from events where account_id = $1 and type = 'transaction.updated'";

const DELIVERIES = `insert into deliveries (id, account_id, webhook_id, contract, event, event_id, url)
  select new_id(), e.account_id, w.id, 'event', 'transaction.created', e.id, w.url
  from events e join webhooks w on w.account_id = e.account_id where e.account_id = $1`;
const PLAN = "update deliveries set next_attempt_at = $2, status = 'pending' where account_id = $1";

/** `rows` charges that expire at once, and half as many deliveries that wait for a dead endpoint beside whole cycles. */
export async function backlog(environment, { rows = CHARGES, seconds, rounds }) {
  const { makeCharges } = await import(pathToFileURL(bundled("open-charges")));
  const make = async (count, expiresAt) => {
    const { accountId, token } = await environment.fixtures.makeSeller();
    const startedAt = performance.now();
    await makeCharges(accountId, count, expiresAt);
    console.log(`  ${count} charges made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    // The charges were made long ago: their first events have been dispatched.
    await environment.owner.query("truncate outbox");
    return { accountId, token };
  };
  return [
    ...(await besideDeliveries(environment, await make(rows / 2, new Date(Date.now() + DAY_MS)), { seconds, rounds })),
    ...(await expire(environment, await make(rows, new Date()), rows)),
    ...(await stopAmid(environment, await make(rows, new Date()))),
  ];
}

/** Whole cycles of one seller, with and without the deliveries of another one waiting for an endpoint that refuses. */
async function besideDeliveries(environment, { accountId, token }, { seconds, rounds }) {
  const at = await openWholeCycle(environment, { sellers: await environment.fixtures.makeSellers(1) });
  const { owner, server, sellers, cycles } = at;
  await registerWebhook(server.url, token, {
    receiver: `http://localhost:${environment.port()}`,
    event: "transaction",
  });
  const { rowCount } = await owner.query(DELIVERIES, [accountId]);
  const plans = { without: null, with: new Date() };
  const runs = { without: [], with: [] };
  for (let round = 0; round < rounds; round++) {
    for (const [name, plan] of Object.entries(plans)) {
      await owner.query(PLAN, [accountId, plan]);
      await owner.query("vacuum analyze deliveries");
      runs[name].push(await measured(at, () => cycles.closed({ sellers, senders: SENDERS, seconds })));
    }
    console.log(`  round ${round + 1} done, load ${machineLoad()}`);
  }
  await owner.query(PLAN, [accountId, null]);
  await cycles.close();
  await server.stop();
  const of = (some, read) => median(some.map(read));
  table([
    [`${rowCount} deliveries wait`, "settled/s", "paid → settled p99 ms", "→ received p99 ms", "CPU ms a cycle"],
    ...Object.entries(runs).map(([name, some]) => [
      name,
      of(some, ({ perSecond }) => perSecond).toFixed(0),
      of(some, ({ settled }) => percentile(settled, 0.99)).toFixed(0),
      of(some, ({ received }) => percentile(received, 0.99)).toFixed(0),
      of(some, ({ each }) => each.cpuMs).toFixed(1),
    ]),
  ]);
  const [ours, theirs] = [runs.with, runs.without].map((some) => some.map(({ perSecond }) => perSecond));
  const what = `cycles to settled with ${rowCount} deliveries to a dead endpoint over without`;
  return [{ what, value: medianRatio(ours, theirs), atLeast: 0.8 }];
}

/** How long a server that starts needs for charges that are due, and what it does afterwards. */
async function expire(environment, { accountId }, rows) {
  const { owner, start } = environment;
  const server = await start(...npmStart);
  const work = () => until(async () => (await count(owner, PENDING, accountId)) === 0, EXPIRED_WITHIN_MS, false);
  const { result: isOver, costs } = await costOf(environment, server, work);
  const expired = rows - (await count(owner, PENDING, accountId));
  if ((await count(owner, TOLD, accountId)) < expired) throw new Error("Void: a charge expired without its event");
  const each = (figure) => figure / expired;
  console.log(
    `  ${expired} charges expired in ${costs.seconds.toFixed(1)} s, for each ${each(costs.cpuMs).toFixed(2)} ms CPU, ${each(costs.databaseMs).toFixed(2)} of PostgreSQL, ` +
      `${each(costs.trips).toFixed(2)} round trips, ${each(costs.wal).toFixed(0)} bytes of WAL; ` +
      `event loop p99 ${costs.delayMs.p99.toFixed(0)} ms, max ${costs.delayMs.max.toFixed(0)} ms, load ${machineLoad()}`,
  );
  const what = `seconds for ${rows} charges that expire at once${isOver ? "" : ", at this rate"}`;
  const aims = [{ what, value: (costs.seconds * rows) / expired, atMost: 60, digits: 1 }];
  if (isOver) aims.push(...(await quiet(environment, server)));
  await end(server);
  return aims;
}

/** Waits until the server does little, returns how long that took, and watches it then. */
async function quiet(environment, server) {
  for (let second = 0; second < QUIET_WITHIN_S; second++) {
    const { costs } = await costOf(environment, server, () => sleep(1_000));
    if (costs.trips > QUIET_TRIPS) continue;
    console.log(`  quiet after ${second + 1} s`);
    return aimsOfIdle(await idle(environment, server));
  }
  console.log(`  not quiet within ${QUIET_WITHIN_S} s`);
  return aimsOfIdle(await idle(environment, server));
}

/** How long a server needs to end that is asked to end in the midst of such work. */
async function stopAmid({ owner, start }, { accountId }) {
  const before = await count(owner, PENDING, accountId);
  const server = await start(...npmStart);
  await until(async () => (await count(owner, PENDING, accountId)) < before, BEGUN_WITHIN_MS, false);
  await sleep(WORKING_MS);
  const seconds = await end(server);
  const expired = before - (await count(owner, PENDING, accountId));
  if ((await count(owner, TOLD, accountId)) !== expired) throw new Error("Void: charges and their events differ");
  console.log(`  the server was stopped after ${expired} of ${before} charges, load ${machineLoad()}`);
  return [{ what: "seconds from SIGTERM to the end of the server", value: seconds, atMost: 15, digits: 1 }];
}

/** Sends SIGTERM, and SIGKILL when the server does not end. Returns the seconds until its end. */
async function end({ stop, kill }) {
  const startedAt = performance.now();
  const force = setTimeout(kill, ENDED_WITHIN_MS);
  await stop();
  clearTimeout(force);
  return (performance.now() - startedAt) / 1000;
}

const count = async (owner, text, accountId) => (await owner.query(text, [accountId])).rows[0].count;
