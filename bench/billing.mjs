import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { until } from "./chaos/processes.mjs";
import { costOf } from "./costs.mjs";
import { bundled, npmStart, startApart } from "./environment.mjs";
import { machineLoad, medianRatio, percentile, table } from "./figures.mjs";

const SUBSCRIPTIONS = 100_000;
/** How many of each round of the comparison. */
const COMPARED = 3_000;
const KILLS = 10;
const BILLED_WITHIN_MS = 10 * 60_000;
const PROBE_EVERY_MS = 50;
const DEPOSIT_EVERY_MS = 3_000;
const IDLE_MS = 10_000;

const COUNTS = `select (select count(*)::int from cycles where account_id = $1) as cycles,
  (select count(distinct subscription_id)::int from cycles where account_id = $1) as subscriptions,
  (select count(*)::int from transactions where account_id = $1 and cycle_id is not null) as sales,
  (select count(*)::int from events where account_id = $1 and type = 'cycle.created') as events`;
const BILLED = "select count(*)::int as count from cycles where account_id = $1";
/** Counting a hundred thousand rows again and again would be part of what is measured. */
const IS_DUE = "select exists (select from subscriptions where account_id = $1 and act_at <= now()) as due";

/** `rows` subscriptions with three splits each fall due at once. */
export async function billing(environment, { rows = SUBSCRIPTIONS, rounds }) {
  const due = await import(pathToFileURL(bundled("due-subscriptions")));
  return [
    ...(await compare(environment, due, rounds)),
    ...(await whole(environment, due, rows)),
    ...(await apart(environment, due, rows)),
    ...(await killed(environment, due, rows)),
  ];
}

/** In sets, and one by one, in alternation. */
async function compare({ owner }, { makePlan, makeDue, billInSets, billOneByOne }, rounds) {
  const { made, plan } = await makePlan();
  const rates = { sets: [], single: [] };
  for (let round = 0; round < rounds; round++) {
    await makeDue(made.accountId, plan, COMPARED);
    await owner.query("vacuum analyze subscriptions");
    rates.sets.push(await billInSets(COMPARED));
    const ids = await makeDue(made.accountId, plan, COMPARED);
    rates.single.push(await billOneByOne(made.accountId, ids));
    console.log(
      `  round ${round + 1}: ${rates.sets[round].toFixed(0)} a second in sets, ${rates.single[round].toFixed(0)} one by one`,
    );
  }
  return [
    { what: "billed a second in sets over one by one", value: medianRatio(rates.sets, rates.single), atLeast: 3 },
  ];
}

/** A whole server bills while a seller reads its balance and takes deposits. */
async function whole(environment, due, rows) {
  const server = await environment.start(...npmStart);
  const { costs, before, during } = await billBeside(environment, due, rows, server, server);
  const { rss } = await server.ask();
  await server.stop();
  const each = (figure) => (figure / rows).toFixed(3);
  console.log(
    `  ${rows} billed in ${costs.seconds.toFixed(1)} s: for each ${each(costs.cpuMs)} ms CPU, ${each(costs.databaseMs)} of PostgreSQL, ` +
      `${each(costs.trips)} round trips, ${(costs.wal / rows).toFixed(0)} bytes of WAL; load ${machineLoad()}`,
  );
  return [
    { what: `seconds for ${rows} due subscriptions`, value: costs.seconds, atMost: 60, digits: 1 },
    {
      what: "p99 of a neighbour's balance while the same process bills, over idle",
      value: ratioOf(before, during),
      atMost: 2,
    },
    { what: "paid → settled while billing, longest, s", value: Math.max(...during.settled) / 1_000, atMost: 2 },
    { what: "resident, MB", value: rss / 1_048_576, atMost: 512, digits: 0 },
  ];
}

/** The same with a process that serves and one that bills. */
async function apart(environment, due, rows) {
  const { web, worker } = await startApart(environment.start);
  const { before, during } = await billBeside(environment, due, rows, web, worker);
  await worker.stop();
  await web.stop();
  const what = "p99 of a neighbour's balance while another process bills, over idle";
  return [{ what, value: ratioOf(before, during), atMost: 2 }];
}

const p99 = ({ reads }) => percentile(reads, 0.99);
const ratioOf = (before, during) => p99(during) / p99(before);

/** Lets `rows` subscriptions fall due, and asks a server as a seller does, before that and until all is billed. */
async function billBeside(environment, { makePlan, makeDue }, rows, asked, billing) {
  const { owner, fixtures } = environment;
  const { made, plan } = await makePlan();
  const neighbour = await fixtures.makeSeller();
  const probeIdle = async () => {
    const idle = probe(asked, neighbour);
    await sleep(IDLE_MS);
    return idle.stop();
  };
  await probeIdle(); // the first requests of a server are slower than all others
  const before = await probeIdle();
  await makeDue(made.accountId, plan, rows);
  const busy = probe(asked, neighbour);
  const isBilled = async () => !(await owner.query(IS_DUE, [made.accountId])).rows[0].due;
  const { costs } = await costOf(environment, billing, () => until(isBilled, BILLED_WITHIN_MS));
  const during = await busy.stop();
  assertExact((await owner.query(COUNTS, [made.accountId])).rows[0], rows);
  const line = (name, { reads, settled }) => [
    ...[name, percentile(reads, 0.5).toFixed(1), percentile(reads, 0.99).toFixed(1), Math.max(...settled).toFixed(0)],
  ];
  table([["", "balance p50 ms", "p99 ms", "paid → settled max ms"], line("idle", before), line("billing", during)]);
  return { costs, before, during };
}

/** Kills the server ten times at random moments, and counts what it made. */
async function killed({ owner, start }, { makePlan, makeDue }, rows) {
  const { made, plan } = await makePlan();
  await makeDue(made.accountId, plan, rows);
  const billed = async () => (await owner.query(BILLED, [made.accountId])).rows[0].count;
  for (let kill = 0; kill < KILLS; kill++) {
    const server = await start(...npmStart);
    const from = await billed();
    if (from >= rows) throw new Error(`Void: all was billed before kill ${kill + 1}`);
    await until(async () => (await billed()) > from, 60_000, false);
    await sleep(Math.random() * 3_000);
    server.kill();
    await server.stop();
  }
  const server = await start(...npmStart);
  await until(async () => (await billed()) >= rows, BILLED_WITHIN_MS);
  await server.stop();
  const counts = (await owner.query(COUNTS, [made.accountId])).rows[0];
  assertExact(counts, rows);
  console.log(
    `  killed ${KILLS} times: ${counts.cycles} cycles, ${counts.sales} sales, ${counts.events} events of ${rows}`,
  );
  return [{ what: "cycles after 10 kills over subscriptions", value: counts.cycles / rows, atLeast: 1, atMost: 1 }];
}

function assertExact(counts, rows) {
  for (const [name, count] of Object.entries(counts)) {
    if (count !== rows) throw new Error(`Billing made ${count} ${name} for ${rows} subscriptions`);
  }
}

/** Reads a seller's balance all the while, and lets payers pay its deposits, until it is stopped. */
function probe({ url }, { token }) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const [reads, settled] = [[], []];
  let isOver = false;
  const ask = async (method, path, body) => {
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`Void: ${path} answered ${answer.status}`);
    return answer.json();
  };
  const reading = (async () => {
    while (!isOver) {
      const began = performance.now();
      await ask("GET", "/api/partner/v1/balance");
      reads.push(performance.now() - began);
      await sleep(PROBE_EVERY_MS);
    }
  })();
  const paying = (async () => {
    while (!isOver) {
      const { identifier } = await ask("POST", "/api/partner/v1/cash-in", { amount: 1 });
      await ask("POST", `/api/partner/v1/sandbox/pix/${identifier}/pay`, {});
      const paid = performance.now();
      const isSettled = async () =>
        (await ask("GET", `/api/partner/v1/transaction/${identifier}`)).data.status === "completed";
      while (!(await isSettled())) await sleep(20);
      settled.push(performance.now() - paid);
      await sleep(DEPOSIT_EVERY_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await Promise.all([reading, paying]);
      return { reads: reads.sort((a, b) => a - b), settled };
    },
  };
}
