// Deliveries by graphile-worker: a job each, which signs a body twice, as a delivery is, posts it over kept connections and
// stores its attempt. Asked for so many, it adds the jobs and says when all have ended. With TUNED it fetches jobs 500 at a time
// and records the ends of some together; as it comes it does both one by one.
import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { Pool } from "undici";

const { BODY, SINK, CONNECTIONS, PEER_DATABASE, TUNED } = process.env;
const logger = new Logger(() => () => {});
const TOKEN = "x".repeat(43);
const ADD = `select graphile_worker.add_jobs(array(
    select row('deliver', json_build_object('event', gen_random_uuid(), 'body', $2::text), null, null, null, null, null, null)::graphile_worker.job_spec
    from generate_series(1, $1::int)))`;
const ATTEMPTS = `create table attempts (id uuid primary key, event_id uuid not null, status int not null, answer text,
    duration_ms int not null, created_at timestamptz not null default now())`;
const STORE = "insert into attempts (id, event_id, status, answer, duration_ms) values ($1, $2, $3, $4, $5)";

const utils = await makeWorkerUtils({ connectionString: PEER_DATABASE, logger });
await utils.migrate();
await utils.withPgClient((client) => client.query(ATTEMPTS));
const pool = new Pool(SINK, { connections: Number(CONNECTIONS) });
let left = 0;

async function deliver({ event, body }, { query }) {
  const [attempt, seconds, startedAt] = [randomUUID(), String(Math.floor(Date.now() / 1000)), performance.now()];
  const mac = (encoding, text) => createHmac("sha256", TOKEN).update(text).digest(encoding);
  const answer = await pool.request({
    method: "POST",
    path: "/hook",
    headers: {
      "content-type": "application/json; charset=utf-8",
      ...{ "webhook-id": event, "webhook-timestamp": seconds, "x-syncpay-delivery": attempt },
      "webhook-signature": `v1,${mac("base64", `${event}.${seconds}.${body}`)}`,
      "x-syncpay-signature": `t=${seconds},v1=${mac("hex", `${seconds}.${body}`)}`,
    },
    body,
  });
  const text = await answer.body.text();
  const durationMs = Math.round(performance.now() - startedAt);
  await query({ name: "store", text: STORE, values: [attempt, event, answer.statusCode, text, durationMs] });
}

process.on("message", async (count) => {
  await utils.withPgClient((client) => client.query(ADD, [count, BODY]));
  left = count;
  const worker = await run({
    connectionString: PEER_DATABASE,
    taskList: { deliver },
    noHandleSignals: true,
    logger,
    preset: {
      worker: {
        concurrentJobs: Number(CONNECTIONS),
        maxPoolSize: Number(CONNECTIONS),
        ...(TUNED && { localQueue: { size: 500 }, completeJobBatchDelay: 0 }),
      },
    },
  });
  worker.events.on("job:complete", () => {
    left -= 1;
    if (left === 0) worker.events.emit("all");
  });
  await once(worker.events, "all");
  await worker.stop();
  process.send({ kind: "done" });
});
process.send({ kind: "ready" });
