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
  print({ [`${SENDERS} senders`]: closed, [`${PACED_PER_SECOND}/s`]: [paced] });
  const held = sortedOf(alone.flatMap((run) => run.held));
  return [
    aim("cash-ins a second alone", median(alone.map(({ perSecond }) => perSecond)), { atLeast: 100 }),
    aim("their p99 in ms", median(alone.map(({ p99 }) => p99)), { atMost: 600 }),
    aim("transactions of the database open at once meanwhile, p50", percentile(held, 0.5), { atMost: 2 }),
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

function print(all) {
  const of = (some, read) => median(some.map(read)).toFixed(0);
  const both = (name, share) => (runs) => of(runs, (run) => percentile(run[name], share));
  table([
    [
      ...[
        "median",
        "settled/s",
        "received/s",
        "cash-in p50 ms",
        "p99",
        "paid → settled p50 ms",
        "p99",
        "→ received p50 ms",
      ],
      ...["p99", "transactions open, p50", "p99", "CPU ms a cycle", "of PostgreSQL", "load"],
    ],
    ...Object.entries(all).map(([name, runs]) => [
      name,
      runs[0].perSecond === undefined ? "" : of(runs, ({ perSecond }) => perSecond),
      runs[0].perSecond === undefined ? "" : of(runs, ({ receivedPerSecond }) => receivedPerSecond),
      ...["cashIn", "settled", "received"].flatMap((one) => [both(one, 0.5)(runs), both(one, 0.99)(runs)]),
      ...[0.5, 0.99].map((share) => of(runs, ({ held }) => percentile(sortedOf(held), share))),
      ...["cpuMs", "databaseMs"].map((one) => median(runs.map(({ each }) => each[one])).toFixed(1)),
      runs.map((run) => run.load).join(" "),
    ]),
  ]);
  const kinds = [...new Set(Object.values(all).flatMap((runs) => runs.flatMap((run) => Object.keys(run.requests))))];
  table([
    ["requests to the PSP a cycle", ...kinds, "all"],
    ...Object.entries(all).map(([name, runs]) => {
      const each = kinds.map((kind) => median(runs.map(({ requests, made }) => (requests[kind] ?? 0) / made)));
      return [name, ...[...each, each.reduce((sum, one) => sum + one)].map((one) => one.toFixed(2))];
    }),
  ]);
}

/** How many connections have a transaction open, again and again until it is stopped: one that waits for a PSP is seen often. */
function sampleHeld(owner) {
  const held = [];
  let isOver = false;
  const text =
    "select count(*)::int as held from pg_stat_activity where xact_start is not null and pid <> pg_backend_pid()";
  const sampling = (async () => {
    while (!isOver) {
      const { rows } = await owner.query(text);
      held.push(rows[0].held);
      await sleep(SAMPLE_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await sampling;
      return held;
    },
  };
}
