import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { request } from "undici";
import { until } from "./chaos/processes.mjs";
import { costOf } from "./costs.mjs";
import { bundled, npmStart } from "./environment.mjs";
import { machineLoad, percentile, table } from "./figures.mjs";
import { watchStatements } from "./longest.mjs";

const SALES = { storm: 20_000, quiet: 1_000 };
const PER_SECOND = 4;
const WARM_UP_MS = 2_000;
const DRAINED_WITHIN_MS = 60_000;
const API = "/api/partner";
const CASH_IN = JSON.stringify({ amount: 129.9 });
const DAY_MS = 86_400_000;

const UNSETTLED = `select count(*)::int as count from simulator_pix p join transactions t on t.txid = p.txid
  where t.account_id = $1 and t.status = 'pending'`;

/** One account's storm beside an account that calls each of a few routes: how much slower that one gets. */
export async function storm(environment, { seconds, rounds }) {
  const { owner, fixtures, start } = environment;
  const { makeCharges } = await import(pathToFileURL(bundled("open-charges")));
  const [stormy, quiet] = [await fixtures.makeSeller(), await fixtures.makeSeller()];
  await owner.query("update accounts set storage_limit_mb = 102400");
  await makeCharges(stormy.accountId, SALES.storm, new Date(Date.now() + DAY_MS));
  await makeCharges(quiet.accountId, SALES.quiet, new Date(Date.now() + DAY_MS));
  await owner.query("truncate outbox");
  await owner.query("vacuum analyze");
  const server = await start(...npmStart);
  const routes = await routesOf(owner, quiet.accountId);
  const call = () => callAll(server.url, quiet.token, routes, seconds);
  const took = { idle: [], storm: [] };
  await call();
  for (let round = 0; round < rounds; round++) {
    took.idle.push(await call());
    const load = startLoad({ url: server.url, token: stormy.token });
    await sleep(WARM_UP_MS);
    const statements = watchStatements(owner);
    const { result, costs } = await costOf(environment, server, call);
    took.storm.push(result);
    print(await load.stop(), { delayMs: costs.delayMs, ...(await statements.stop()) });
    await until(() => isSettled(owner, stormy.accountId), DRAINED_WITHIN_MS, false);
  }
  await server.stop();
  const allOf = (when, route) => took[when].flatMap((each) => each[route]).sort((one, other) => one - other);
  const at = (share, when, route) => percentile(allOf(when, route), share);
  const names = Object.keys(routes);
  table([
    ["quiet account, ms", "p50 idle", "p99 idle", "p50 beside the storm", "p99 beside the storm"],
    ...names.map((name) => [
      name,
      ...["idle", "storm"].flatMap((when) => [at(0.5, when, name).toFixed(1), at(0.99, when, name).toFixed(1)]),
    ]),
  ]);
  return names.map((name) => ({
    what: `p99 of ${name} beside the storm over idle`,
    value: at(0.99, "storm", name) / at(0.99, "idle", name),
    atMost: 3,
  }));
}

const isSettled = async (owner, accountId) => (await owner.query(UNSETTLED, [accountId])).rows[0].count === 0;

/** The routes that the quiet account calls. */
async function routesOf(owner, accountId) {
  const { rows } = await owner.query("select id from transactions where account_id = $1 order by id limit 1", [
    accountId,
  ]);
  return {
    balance: { path: `${API}/v1/balance` },
    list: { path: `${API}/v2/transactions` },
    detail: { path: `${API}/v2/transactions/${rows[0].id}` },
    "cash-in": { path: `${API}/v1/cash-in`, method: "POST", body: CASH_IN },
    overview: { path: "/api/dashboard/v1/overview" },
  };
}

/** Calls each route at its pace for `seconds`, whatever becomes of the calls before. Returns how long each took in ms. */
async function callAll(url, token, routes, seconds) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const timed = async ({ path, method = "GET", body }) => {
    const startedAt = performance.now();
    const answer = await request(url + path, { method, body, headers });
    const text = await answer.body.text();
    if (answer.statusCode !== 200)
      throw new Error(`Void: ${path} of the quiet account answered ${answer.statusCode} ${text}`);
    return performance.now() - startedAt;
  };
  const everyMs = 1000 / PER_SECOND;
  const all = Object.entries(routes).map(async ([name, route], at) => {
    const calls = [];
    await sleep((at * everyMs) / Object.keys(routes).length); // so that they do not wait for one another
    for (let n = 0; n < seconds * PER_SECOND; n++) {
      calls.push(timed(route));
      await sleep(everyMs);
    }
    return [name, await Promise.all(calls)];
  });
  return Object.fromEntries(await Promise.all(all));
}

/** Starts the storm in a thread of its own, so that it does not delay what measures. `stop` resolves to its answers' counts. */
function startLoad(workerData) {
  const worker = new Worker(new URL("storm-load.mjs", import.meta.url), { workerData });
  const ended = new Promise((done, fail) => worker.once("message", done).once("error", fail));
  return {
    stop() {
      worker.postMessage("stop");
      return ended;
    },
  };
}

function print({ seconds, counts }, { delayMs, longest, transaction, connections }) {
  const answers = Object.entries(counts).map(([name, count]) => `${name} ${(count / seconds).toFixed(1)}/s`);
  console.log(`  storm: ${answers.join(", ")}; load ${machineLoad()}`);
  console.log(
    `  event loop p99 ${delayMs.p99.toFixed(0)} ms, max ${delayMs.max.toFixed(0)} ms; at most ${connections} connections at work, ` +
      `longest transaction ${transaction.toFixed(0)} ms, longest statement ${longest.ms.toFixed(0)} ms: ${longest.text}`,
  );
}
