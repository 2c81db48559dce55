import { fork } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { onStop } from "../bin/lifecycle.mjs";
import { root } from "../bin/settings.mjs";
import { registerWebhook } from "./chaos/partner.mjs";
import { until } from "./chaos/processes.mjs";
import { costOf } from "./costs.mjs";
import { npmStart } from "./environment.mjs";
import { machineLoad, median, medianRatio, percentile, table } from "./figures.mjs";

const EVENTS = 10_000;
const ENDPOINTS = 5;
const ACCOUNTS = 100;
/** As many as an endpoint has places. */
const CONNECTIONS = 12;
const PACED_PER_SECOND = 200;
const PACED_WITHIN_MS = 60_000;
const DELIVERED_WITHIN_MS = 300_000;
const API = "/api/partner/v1";
const CASH_IN = JSON.stringify({ amount: 129.9, description: "Pedido 1042", client: { name: "Ana Souza" } });

/** Events of `accounts`, in turn, each about a sale of its own, like the first event of the first of them. */
const HAPPENED = `with model as (
    select * from events where account_id = ($1::uuid[])[1] and type = 'transaction.created' order by id limit 1
  ), happened as (
    insert into events (account_id, id, type, subject, subject_id, data, record, actor, occurred_at)
    select ($1::uuid[])[1 + n % cardinality($1::uuid[])], new_id(), type, subject, gen_random_uuid(), data, record, actor, now()
    from model, generate_series(1, $2::int) n
    returning account_id, id
  )`;
export const HAPPEN = `${HAPPENED} insert into outbox (account_id, event_id) select account_id, id from happened`;
/** The same long ago: nobody acts on them. */
export const HAPPENED_BEFORE = `${HAPPENED} select count(*) from happened`;

/** What a signed delivery costs: from the outbox to a receiver that keeps connections, with its attempt stored. */
export async function webhooks(environment, { rows = EVENTS, seconds, rounds }) {
  const { owner, ownerUrl, fixtures, start, port } = environment;
  const sink = await startSink(port());
  const server = await start(...npmStart);
  const sellers = await fixtures.makeSellers(ACCOUNTS);
  await owner.query("update accounts set storage_limit_mb = 102400");
  await owner.query("select set_config('app.accounts', '*', false)");
  const register = (seller, path) =>
    registerWebhook(server.url, seller.token, { receiver: `${sink.url}/${path}`, event: "transaction" });
  const [paced, ...others] = sellers;
  await register(paced, "paced");
  for (const seller of others) for (let n = 0; n < ENDPOINTS; n++) await register(seller, `${seller.accountId}/${n}`);
  for (const { token } of sellers) await cashIn(server.url, token);
  await until(async () => (await sink.ask("count")).count >= 1 + (ACCOUNTS - 1) * ENDPOINTS, 60_000);
  const body = (await owner.query("select body from delivery_bodies limit 1")).rows[0].body;
  const settings = { BODY: body, SINK: sink.url, CONNECTIONS: String(CONNECTIONS) };
  const bare = await startPeer("webhooks-peer.mjs", settings);
  const jobs = async (name, tuned) => {
    await owner.query(`create database ${name}`);
    const url = Object.assign(new URL(ownerUrl), { pathname: `/${name}` }).href;
    return startPeer("webhooks-jobs.mjs", { ...settings, PEER_DATABASE: url, TUNED: tuned });
  };
  const peers = { jobs: await jobs("jobs", ""), "jobs, tuned": await jobs("tuned_jobs", "1") };

  const subjects = { "1 account": others.slice(0, 1), [`${others.length} accounts`]: others };
  const names = ["bare", ...Object.keys(peers), ...Object.keys(subjects)];
  const rates = Object.fromEntries(names.map((name) => [name, []]));
  const costs = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    rates.bare.push(await bare.run(rows * ENDPOINTS));
    for (const [name, peer] of Object.entries(peers)) rates[name].push(await byJobs(peer, sink, rows * ENDPOINTS));
    for (const [name, some] of Object.entries(subjects)) {
      const { perSecond, spent } = await deliverAll({ environment, server, sink, accounts: some, rows });
      rates[name].push(perSecond);
      costs[name].push(spent);
    }
    console.log(`  round ${round + 1} done, load ${machineLoad()}`);
  }
  sink.forget();
  const latencies = await pace({
    ...{ owner, server, sink, seller: paced },
    ...{ seconds: 2 * seconds, perSecond: PACED_PER_SECOND },
  });
  await server.stop();
  table([
    ["deliveries a second, median", "a second", "CPU ms each", "of PostgreSQL", "round trips"],
    ["bare loop", median(rates.bare).toFixed(0), "", "", ""],
    ...Object.keys(peers).map((name) => [`graphile-worker, ${name}`, median(rates[name]).toFixed(0), "", "", ""]),
    ...Object.keys(subjects).map((name) => [
      name,
      median(rates[name]).toFixed(0),
      ...["cpuMs", "databaseMs", "trips"].map((cost) => median(costs[name].map((one) => one[cost])).toFixed(2)),
    ]),
  ]);
  return [
    ...Object.keys(subjects).map((name) => ({
      what: `deliveries of ${name} over a bare loop`,
      value: medianRatio(rates[name], rates.bare),
      atLeast: 0.5,
    })),
    ...Object.keys(peers).flatMap((peer) =>
      Object.keys(subjects).map((name) => ({
        what: `deliveries of ${name} over graphile-worker's ${peer}`,
        value: medianRatio(rates[name], rates[peer]),
        atLeast: 3,
      })),
    ),
    { what: `event → sink p50 at ${PACED_PER_SECOND}/s, ms`, value: percentile(latencies, 0.5), atMost: 50, digits: 0 },
    {
      what: `event → sink p99 at ${PACED_PER_SECOND}/s, ms`,
      value: percentile(latencies, 0.99),
      atMost: 500,
      digits: 0,
    },
  ];
}

/** Has events happen at once. Returns how many deliveries arrived a second, and what each of them cost. */
async function deliverAll({ environment, server, sink, accounts, rows }) {
  const { owner } = environment;
  sink.forget();
  const due = rows * ENDPOINTS;
  const { costs } = await costOf(environment, server, async () => {
    await owner.query(HAPPEN, [accounts.map(({ accountId }) => accountId), rows]);
    await until(async () => (await sink.ask("count")).count >= due, DELIVERED_WITHIN_MS);
    await until(async () => (await owner.query(UNRECORDED)).rows.length === 0, DELIVERED_WITHIN_MS);
  });
  const { arrived, count, first, last } = await sink.ask("arrived");
  if (arrived.length !== rows)
    throw new Error(`Void: ${arrived.length} of ${rows} events arrived, in ${count} requests`);
  if (count > due) console.log(`  ${count - due} arrived more than once`);
  const spent = Object.fromEntries(["cpuMs", "databaseMs", "trips"].map((name) => [name, costs[name] / due]));
  return { perSecond: due / ((last - first) / 1000), spent };
}

const UNRECORDED = "select 1 from deliveries where next_attempt_at is not null limit 1";

/** Cash-ins at a given pace, and how long after its event each webhook arrived at the sink, in ascending ms. */
export async function pace({ owner, server, sink, seller, seconds, perSecond }) {
  const { rows: before } = await owner.query(LAST_EVENT, [seller.accountId]);
  const sent = [];
  const [count, startedAt] = [perSecond * seconds, performance.now()];
  for (let n = 0; n < count; n++) {
    const waitMs = startedAt + (n * 1000) / perSecond - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    sent.push(cashIn(server.url, seller.token));
  }
  await Promise.all(sent);
  const { rows } = await owner.query(EVENTS_AFTER, [seller.accountId, before[0].id]);
  const arrived = new Map();
  const isThere = async () => {
    for (const [id, ms] of (await sink.ask("arrived")).arrived) arrived.set(id, ms);
    return rows.every(({ id }) => arrived.has(id));
  };
  await until(isThere, PACED_WITHIN_MS);
  return rows.map(({ id, at }) => arrived.get(id) - at).sort((one, other) => one - other);
}

const LAST_EVENT = "select id from events where account_id = $1 order by id desc limit 1";
const EVENTS_AFTER = `select id, extract(epoch from occurred_at)::float8 * 1000 as at from events
  where account_id = $1 and id > $2 and type = 'transaction.created'`;

/** Asks for a deposit. Throws where the answer is wrong. */
export async function cashIn(url, token) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const answer = await request(`${url}${API}/cash-in`, { method: "POST", headers, body: CASH_IN });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`Void: cash-in answered ${answer.statusCode} ${text}`);
}

/** A receiver in a process of its own (sink.mjs). */
export async function startSink(port) {
  const { child, ask } = await startChild("sink.mjs", { PORT: String(port) });
  return { url: `http://localhost:${port}`, ask: (what) => ask(what, what), forget: () => child.send("forget") };
}

async function startPeer(file, settings) {
  const { ask } = await startChild(file, settings);
  return { run: async (count) => (await ask(count, "done")).perSecond };
}

/** How many deliveries by graphile-worker arrived a second, once their jobs are added. */
async function byJobs(jobs, sink, count) {
  sink.forget();
  await jobs.run(count);
  const { arrived, first, last } = await sink.ask("arrived");
  if (arrived.length !== count) throw new Error(`Void: ${arrived.length} of ${count} deliveries arrived by jobs`);
  return count / ((last - first) / 1000);
}

/** A process that says when it is ready, and answers each message with one of a kind. */
async function startChild(file, settings) {
  const child = fork(join(root, "bench", file), { env: { ...process.env, ...settings } });
  onStop(() => void child.kill());
  const next = (kind) =>
    new Promise((done) => {
      const listen = (message) => {
        if (message.kind !== kind) return;
        child.off("message", listen);
        done(message);
      };
      child.on("message", listen);
    });
  await next("ready");
  const ask = (message, kind) => {
    const answer = next(kind);
    child.send(message);
    return answer;
  };
  return { child, ask };
}
