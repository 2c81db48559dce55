import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { root } from "../bin/settings.mjs";
import { bundled } from "./environment.mjs";
import { median, medianRatio, table } from "./figures.mjs";
import { alternate, load } from "./load.mjs";

const PATH = "/api/partner/v1/cash-in";
const BODY = JSON.stringify({
  amount: 129.9,
  description: "Pedido 1042",
  external_id: "1042",
  client: { name: "Ana Souza", cpf: "52998224725", email: "ana@example.com", phone: "11987654321" },
});
const SELLERS = 100;
const MEGABYTE = 1024 * 1024;
const WRITTEN = ["transactions", "events", "outbox"];

/** POST /cash-in through the host, by hand in Fastify, and through Next, and a static answer through host and Next. */
export async function cashIn(environment, options) {
  const sellers = await environment.fixtures.makeSellers(SELLERS);
  const [{ token }] = sellers;
  const programs = await startPrograms(environment);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const post = ({ url }) => ({ url, path: PATH, method: "POST", body: BODY, headers });
  const bearer = (n) => ({ authorization: `Bearer ${sellers[n % SELLERS].token}` });
  const subjects = {
    ours: post(programs.host),
    peer: post(programs.peer),
    "peer, one statement": post(programs.peerInOne),
    "ours, with key": { ...post(programs.host), vary: () => ({ "idempotency-key": randomUUID() }) },
    [`ours, ${SELLERS} sellers`]: { ...post(programs.host), vary: bearer },
    [`peer, ${SELLERS} sellers`]: { ...post(programs.peer), vary: bearer },
    next: post(programs.next),
    "static, ours": { url: programs.host.url, path: "/api/openapi.json" },
    "static, next": { url: programs.next.url, path: "/api/openapi.json" },
  };
  const measured = Object.fromEntries(Object.keys(subjects).map((name) => [name, []]));
  const rates = await alternate(subjects, options, async (name, run) => {
    await environment.owner.query("checkpoint");
    const { result, figures } = await observe(environment.owner, programOf(programs, subjects[name]), run);
    measured[name].push(figures);
    return result;
  });
  const memory = await memoryOfAll(environment, programs, post, options);
  print(rates, measured);
  for (const { stop } of Object.values(programs)) await stop();
  return [
    { what: "cash-in over Fastify and pg", value: medianRatio(rates.ours, rates.peer), atLeast: 0.5 },
    {
      what: `the same for ${SELLERS} sellers`,
      value: medianRatio(rates[`ours, ${SELLERS} sellers`], rates[`peer, ${SELLERS} sellers`]),
      atLeast: 0.5,
    },
    {
      what: "cash-in over the peer's one statement",
      value: medianRatio(rates.ours, rates["peer, one statement"]),
      atLeast: 0.85,
    },
    { what: "cash-in over cash-in through Next", value: medianRatio(rates.ours, rates.next), atLeast: 1.5 },
    {
      what: "static answer over the same through Next",
      value: medianRatio(rates["static, ours"], rates["static, next"]),
      atLeast: 5,
    },
    { what: "web and worker under load, MB resident", value: memory / MEGABYTE, atMost: 400, digits: 0 },
  ];
}

const programOf = (programs, { url }) => Object.values(programs).find((program) => program.url === url);

async function startPrograms({ start }) {
  const host = await start(join(root, "bench/host.mjs"));
  const peer = await start(bundled("cash-in-peer"));
  const peerInOne = await start(bundled("cash-in-peer"), [], { PEER: "one-statement" });
  const next = await start(join(root, "bench/next-host.mjs"));
  return { host, peer, peerInOne, next };
}

/** Measures what a run cost for each request: statements, rows, log and table bytes, CPU. `rss` is the peak of its memory. */
async function observe(owner, program, run) {
  await program.ask();
  const before = await written(owner);
  const result = await run();
  const after = await written(owner);
  const { statements, rss, cpuMs } = await program.ask();
  const each = (name) => (after[name] - before[name]) / result.requests;
  const sent = Object.values(statements).reduce((sum, count) => sum + count, 0);
  return {
    result,
    figures: {
      statements: sent / result.requests,
      rows: each("rows"),
      wal: each("wal"),
      tables: each("tables"),
      cpuMs: cpuMs / result.requests,
      p99: result.p99,
      rss,
    },
  };
}

async function written(owner) {
  const counts = WRITTEN.map((name) => `(select count(*) from ${name})`).join(" + ");
  const { rows } = await owner.query(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal, (${counts})::float8 as rows,
       (select sum(pg_total_relation_size(oid)) from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace)::float8 as tables`,
  );
  return rows[0];
}

/** The peak memory of one process with web and worker, as `npm start` runs it, under the same load. */
async function memoryOfAll({ owner, start }, programs, post, { seconds }) {
  await owner.query("truncate outbox");
  const all = await start(join(root, "bench/host.mjs"), ["worker"]);
  await load(post(all), seconds);
  const { rss } = await all.ask();
  programs.all = all;
  return rss;
}

function print(rates, measured) {
  const of = (name, figure) => median(measured[name].map((figures) => figures[figure]));
  table([
    ["median", "requests/s", "p99 ms", "statements", "rows", "WAL bytes", "table bytes", "CPU ms", "MB resident"],
    ...Object.entries(rates).map(([name, values]) => [
      name,
      median(values).toFixed(0),
      of(name, "p99").toFixed(0),
      of(name, "statements").toFixed(2),
      of(name, "rows").toFixed(2),
      of(name, "wal").toFixed(0),
      of(name, "tables").toFixed(0),
      of(name, "cpuMs").toFixed(3),
      (of(name, "rss") / MEGABYTE).toFixed(0),
    ]),
  ]);
}
