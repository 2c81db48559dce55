import { setTimeout as sleep } from "node:timers/promises";
import { machineLoad, median, percentile, table } from "./figures.mjs";
import { load } from "./load.mjs";
import { measured, openWholeCycle } from "./whole-cycle.mjs";

const PATH = "/api/partner/v1/cash-in";
const BODY = JSON.stringify({ amount: 129.9, description: "Pedido 1042" });
/** How long the PSP takes for an answer. */
const PSP_MS = 150;
const SELLERS = 20;
const SENDERS = 32;
const PACED_PER_SECOND = 50;
const SAMPLE_MS = 20;

/**
 * Live sales whose codes are made by a PSP that answers after 150 ms, which calls back and is asked, in one process: cash-ins alone,
 * and whole cycles to the received webhook, by 32 senders and at a given pace. The ledger must agree with the PSP at the end.
 */
export async function wholeCyclePsp(environment, { rounds, seconds }) {
  const { owner, fixtures } = environment;
  const psp = await fixtures.connectPsp(PSP_MS);
  const sellers = await fixtures.makeLiveSellers(SELLERS);
  let callbacks = "";
  const pay = (post, { id }) => {
    const pix = psp.pay({ txid: id.replaceAll("-", "") });
    return post(`${callbacks}/pix`, "", JSON.stringify({ pix: [pix] }));
  };
  const at = await openWholeCycle(environment, { sellers, isLive: true, pay });
  const { server, receiver, cycles } = at;
  callbacks = new URL(psp.webhookUrl).pathname;
  const asked = async (run) => {
    psp.asked.length = 0;
    const sampled = sampleHeld(owner);
    const result = await run();
    return { ...result, held: await sampled.stop(), requests: countBy(psp.asked, kindOf), load: machineLoad() };
  };
  const [{ token }] = sellers;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const subject = { url: server.url, path: PATH, method: "POST", body: BODY, headers };
  await load(subject, seconds);
  const [alone, closed] = [[], []];
  for (let round = 0; round < rounds; round++) {
    alone.push(await asked(() => load(subject, seconds)));
    closed.push(await asked(() => measured(at, () => cycles.closed({ sellers, senders: SENDERS, seconds }))));
    console.log(`  round ${round + 1}: ${alone[round].perSecond.toFixed(0)} cash-ins a second alone`);
  }
  const pace = { sellers, perSecond: PACED_PER_SECOND, seconds: 2 * seconds };
  const paced = await asked(() => measured(at, () => cycles.paced(pace)));
  await cycles.close();
  await assertAgreed(environment, psp, sellers);
  await server.stop();
  await psp.close();
  if (receiver.faults.length > 0) throw new Error(`Void: a signature is wrong: ${receiver.faults[0]}`);
  print(alone, { [`${SENDERS} senders`]: closed, [`${PACED_PER_SECOND}/s`]: [paced] });
  const waiting = [...alone, ...closed, paced].map(({ held }) => percentile(held.waiting, 0.5));
  return [
    aim("cash-ins a second alone", median(alone.map(({ perSecond }) => perSecond)), { atLeast: 100 }),
    aim("their p99 in ms", median(alone.map(({ p99 }) => p99)), { atMost: 600 }),
    aim(`cycles a second to settled, ${SENDERS} senders`, median(closed.map(({ perSecond }) => perSecond)), {
      atLeast: 100,
    }),
    aim("transactions that wait for 100 ms and more at once, p50", Math.max(...waiting), { atMost: 0 }),
    aim("cash-ins at the pace, p99 in ms", percentile(paced.cashIn, 0.99), { atMost: 600 }),
    aim("paid → received at the pace, p99 in ms", percentile(paced.received, 0.99), { atMost: 1_000 }),
  ];
}

const aim = (what, value, bounds) => ({ what, value, ...bounds, digits: 0 });
const sortedOf = (numbers) => numbers.sort((one, other) => one - other);

/** What kind of request the PSP got: its records' ids are no part of it. */
const kindOf = ({ method, path }) =>
  `${method} ${path.split("/", 2).join("/")}${path.split("/").length > 2 ? "/…" : ""}`;

function countBy(all, keyOf) {
  const counts = {};
  for (const one of all) counts[keyOf(one)] = (counts[keyOf(one)] ?? 0) + 1;
  return counts;
}

/** Throws unless every payment of the PSP is a completed sale, whose money the sellers have but for the fees, and the books are right. */
async function assertAgreed({ owner, fixtures }, psp, sellers) {
  const paid = [...psp.pixes.values()].reduce((sum, { valor }) => sum + Math.round(Number(valor) * 100), 0);
  const ids = sellers.map(({ accountId }) => accountId);
  const { rows } = await owner.query(FEES, [ids]);
  const [{ fees, count }] = rows;
  const balances = await Promise.all(ids.map((id) => fixtures.readBalances(id)));
  const had = balances.reduce((sum, { available }) => sum + available, 0);
  if (count !== psp.pixes.size || had !== paid - fees)
    throw new Error(
      `Void: the PSP has ${psp.pixes.size} payments of ${paid}, we ${count} with fees of ${fees} and ${had}`,
    );
  const faults = await fixtures.reconcile({ inFlightMs: 0 });
  if (faults.length > 0) throw new Error(`Void: the books are wrong: ${JSON.stringify(faults.slice(0, 3))}`);
  console.log(
    `  agreed: ${count} payments of ${paid} cents, fees ${fees}, balances ${had}, and reconcile found nothing`,
  );
}

const FEES = `select coalesce(sum(fee), 0)::float8 as fees, count(*)::int as count from transactions
  where account_id = any($1::uuid[]) and status = 'completed'`;

function print(alone, all) {
  const of = (runs, read, digits = 0) => median(runs.map(read)).toFixed(digits);
  const at = (runs, name) => [0.5, 0.99].map((share) => of(runs, (run) => percentile(run[name], share)));
  const heldIn = (runs) =>
    ["open", "waiting"].flatMap((kind) =>
      [0.5, 0.99].map((share) => of(runs, ({ held }) => percentile(held[kind], share))),
    );
  const rates = (runs) =>
    ["perSecond", "receivedPerSecond"].map((name) => (runs[0].window ? of(runs, (run) => run[name]) : ""));
  const rows = Object.entries(all);
  table([
    [
      ...["median", "settled/s", "received/s", "cash-in p50 ms", "p99", "paid → settled p50 ms", "p99"],
      ...["→ received p50 ms", "p99", "load"],
    ],
    ...rows.map(([name, runs]) => [
      ...[name, ...rates(runs), ...["cashIn", "settled", "received"].flatMap((one) => at(runs, one))],
      runs.map(({ load }) => load).join(" "),
    ]),
  ]);
  table([
    ["connections with a transaction", "open p50", "p99", "that waits p50", "p99"],
    ...[["cash-ins alone", alone], ...rows].map(([name, runs]) => [name, ...heldIn(runs)]),
  ]);
  const kinds = [...new Set(rows.flatMap(([, runs]) => runs.flatMap(({ requests }) => Object.keys(requests))))];
  table([
    ["each cycle", "CPU ms", "of PostgreSQL", "statements", "requests to the PSP", ...kinds],
    ...rows.map(([name, runs]) => {
      const asked = kinds.map((kind) => median(runs.map(({ requests, made }) => (requests[kind] ?? 0) / made)));
      return [
        ...[name, ...["cpuMs", "databaseMs", "sent"].map((one) => of(runs, ({ each }) => each[one], 1))],
        ...[asked.reduce((sum, one) => sum + one), ...asked].map((one) => one.toFixed(2)),
      ];
    }),
  ]);
}

const HELD = `select count(*)::int as open,
    count(*) filter (where state = 'idle in transaction' and state_change < clock_timestamp() - interval '100 milliseconds')::int as waiting
  from pg_stat_activity where xact_start is not null and pid <> pg_backend_pid()`;

/**
 * How many connections have a transaction open, and of how many the program has asked nothing for 100 ms, again and again until it
 * is stopped: those that wait for a PSP would be among them.
 */
function sampleHeld(owner) {
  const held = { open: [], waiting: [] };
  let isOver = false;
  const sampling = (async () => {
    while (!isOver) {
      const { rows } = await owner.query(HELD);
      for (const name of Object.keys(held)) held[name].push(rows[0][name]);
      await sleep(SAMPLE_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await sampling;
      for (const counts of Object.values(held)) sortedOf(counts);
      return held;
    },
  };
}
