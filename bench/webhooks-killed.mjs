import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onStop } from "../bin/lifecycle.mjs";
import { registerWebhook } from "./chaos/partner.mjs";
import { until } from "./chaos/processes.mjs";
import { startApart, startWeb, startWorker } from "./environment.mjs";
import { machineLoad } from "./figures.mjs";
import { cashIn, HAPPEN } from "./webhooks.mjs";

const KILLS = 20;
const PER_SECOND = 200;
/** Killed in turn, this long after the one before is up again. */
const KILLED = [["worker"], ["web"], ["web", "worker"]];
const BETWEEN_MS = [2_000, 5_000];
const MADE_UP_EVERY_MS = 200;
const SLOW_MS = 2_000;
const RECEIVED_WITHIN_MS = 600_000;

/** How each receiver answers; one that hangs never does. */
const RECEIVERS = {
  healthy1: (response) => response.writeHead(200).end(),
  healthy2: (response) => response.writeHead(200).end(),
  hangs: () => {},
  fails: (response) => response.writeHead(500).end(),
  slow: (response) => setTimeout(() => response.writeHead(200).end(), SLOW_MS),
  gone: (response) => response.writeHead(410).end(),
};
const HEALTHY = ["healthy1", "healthy2"];

/** Events of an account that its webhooks are registered for. */
const EVENTS = "select id from events where account_id = $1 and type like 'transaction.%'";
/** Of a webhook, by status: deliveries, and those that nobody will attempt again although nobody ended them. */
const PLANNED = `select d.status, count(*)::int as count,
    (count(*) filter (where d.status <> 'delivered' and d.next_attempt_at is null and w.disabled_at is null))::int as stuck
  from deliveries d join webhooks w on w.account_id = d.account_id and w.id = d.webhook_id
  where d.account_id = $1 and d.webhook_id = $2 group by d.status order by d.status`;

/**
 * Web and worker are killed again and again while events happen and receivers misbehave. Every event that was committed must
 * be on the disk of each healthy receiver, and have a delivery for every other. Throws where one is lost.
 */
export async function webhooksKilled(environment) {
  const { owner, fixtures, start, port } = environment;
  const receivers = await openReceivers(port());
  const running = await startApart(start);
  const seller = await fixtures.makeSeller();
  await owner.query("update accounts set storage_limit_mb = 102400");
  await owner.query("select set_config('app.accounts', '*', false)");
  const webhooks = {};
  for (const name of Object.keys(RECEIVERS)) {
    const receiver = receivers.urlOf(name);
    webhooks[name] = await registerWebhook(running.web.url, seller.token, { receiver, event: "transaction" });
  }
  await cashIn(running.web.url, seller.token);

  const events = happen(owner, running.web.url, seller);
  const startedAt = performance.now();
  await killAll(environment, running);
  await events.stop();
  const seconds = (performance.now() - startedAt) / 1000;
  const committed = (await owner.query(EVENTS, [seller.accountId])).rows.map(({ id }) => id);
  console.log(
    `  ${KILLS} kills in ${seconds.toFixed(0)} s, ${(committed.length / seconds).toFixed(0)} events a second, ${events.written()} of ${committed.length} without a server, load ${machineLoad()}`,
  );
  const drainedAt = performance.now();
  const missingAt = (name) => {
    const { distinct } = receivers.idsOf(name);
    return committed.filter((id) => !distinct.has(id));
  };
  await until(() => HEALTHY.every((name) => receivers.countOf(name) >= committed.length), RECEIVED_WITHIN_MS, false);
  console.log(`  received ${((performance.now() - drainedAt) / 1000).toFixed(1)} s after the last event`);
  await running.worker.stop();
  await running.web.stop();

  const lost = [];
  for (const [name, { id }] of Object.entries(webhooks)) {
    const { count, distinct } = receivers.idsOf(name);
    const { rows } = await owner.query(PLANNED, [seller.accountId, id]);
    const statuses = rows.map((row) => `${row.count} ${row.status}`).join(", ");
    console.log(`  ${name}: ${distinct.size} events in ${count} requests, ${count - distinct.size} twice; ${statuses}`);
    const planned = rows.reduce((sum, row) => sum + row.count, 0);
    if (planned !== committed.length) lost.push(`${name} has deliveries of ${planned} of ${committed.length} events`);
    for (const { stuck, status } of rows) if (stuck > 0) lost.push(`${name}: ${stuck} ${status} wait for nothing`);
    if (HEALTHY.includes(name) && missingAt(name).length > 0) lost.push(`${name} lacks ${missingAt(name).length}`);
  }
  if (lost.length > 0) throw new Error(`Lost: ${lost.join("; ")}`);
  const twice = HEALTHY.map((name) => receivers.idsOf(name)).map(({ count, distinct }) => count - distinct.size);
  return [
    { what: "events that a healthy receiver did not get", value: 0, atMost: 0, digits: 0 },
    { what: "received more than once, % of all", value: (100 * Math.max(...twice)) / committed.length, atMost: 5 },
  ];
}

/** Kills a program or both, and starts them again at the same port, as often as asked. */
async function killAll({ start }, running) {
  const samePort = ({ url }) => ({ PORT: new URL(url).port });
  const startAgain = {
    web: () => startWeb(start, samePort(running.web)),
    worker: () => startWorker(start, running.web, samePort(running.worker)),
  };
  for (let kill = 0; kill < KILLS; kill++) {
    const [least, most] = BETWEEN_MS;
    await sleep(least + Math.random() * (most - least));
    await Promise.all(
      KILLED[kill % KILLED.length].map(async (name) => {
        running[name].kill();
        await running[name].stop();
        running[name] = await startAgain[name]();
      }),
    );
  }
}

/** Cash-ins at a given pace; where no server takes them, as many events are written into the database in their place. */
function happen(owner, url, { accountId, token }) {
  let [isOver, owed, written] = [false, 0, 0];
  const asking = (async () => {
    const startedAt = performance.now();
    const asked = [];
    for (let n = 0; !isOver; n++) {
      const waitMs = startedAt + (n * 1000) / PER_SECOND - performance.now();
      if (waitMs > 1) await sleep(waitMs);
      asked.push(
        cashIn(url, token).catch(() => {
          owed += 1;
        }),
      );
    }
    await Promise.all(asked);
  })();
  const writing = (async () => {
    while (!isOver || owed > 0) {
      await sleep(MADE_UP_EVERY_MS);
      const count = owed;
      owed -= count;
      written += count;
      if (count > 0) await owner.query(HAPPEN, [[accountId], count]);
    }
  })();
  return {
    written: () => written,
    async stop() {
      isOver = true;
      await asking;
      await writing;
    },
  };
}

/** Receivers that write the id of each request to a file of theirs before they answer. */
async function openReceivers(port) {
  const fileOf = (name) => join(tmpdir(), `repasse-bench-received-${port}-${name}`);
  const files = Object.fromEntries(Object.keys(RECEIVERS).map((name) => [name, openSync(fileOf(name), "w")]));
  const received = Object.fromEntries(Object.keys(RECEIVERS).map((name) => [name, new Set()]));
  const server = createServer((request, response) => {
    const name = request.url.slice(1);
    request.resume().on("end", () => {
      received[name].add(request.headers["webhook-id"]);
      writeSync(files[name], `${request.headers["webhook-id"]}\n`);
      RECEIVERS[name](response);
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  onStop(() => {
    server.close();
    server.closeAllConnections();
    for (const [name, file] of Object.entries(files)) {
      closeSync(file);
      rmSync(fileOf(name));
    }
  });
  return {
    urlOf: (name) => `http://localhost:${port}/${name}`,
    countOf: (name) => received[name].size,
    /** What is in its file. */
    idsOf(name) {
      const ids = readFileSync(fileOf(name), "utf8").split("\n").filter(Boolean);
      return { count: ids.length, distinct: new Set(ids) };
    },
  };
}
