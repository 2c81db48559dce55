import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { asSystem, forAccount, pool } from "@/lib/db";
import { requestDeposit } from "@/lib/deposits/request";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { freeLostJobs, startAliveLocks } from "@/lib/jobs/alive";
import { registry } from "@/lib/jobs/registry";
import { relayOnce } from "@/lib/jobs/relay";
import { purge, retention } from "@/lib/jobs/retention";
import { migrateQueue, startWorker } from "@/lib/jobs/worker";
import { readBalances } from "@/lib/ledger/balance";
import { railFor } from "@/lib/rails/pix/port";
import { reconcile } from "@/lib/reconcile";
import { serveDatabaseProxy } from "@/lib/testing/database-proxy";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { type Program, startProgram } from "@/lib/testing/program";
import { addJobs } from "@/lib/testing/queue";
import { serveRail } from "@/lib/testing/rail";
import { historyOf } from "@/lib/testing/traces";

/** Workers run every job in the database, so these tests have a database of their own. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
});
afterAll(async () => {
  await rail.close();
  await drop();
});

describe("the relay", () => {
  const addToOutbox = (marks: string[]) =>
    pool().query(
      "insert into outbox (name, payload) select 'webhooks.dispatch', json_build_object('mark', m) from unnest($1::text[]) m",
      [marks],
    );
  const jobs = async () => {
    const text =
      "select payload->>'mark' as mark from graphile_worker._private_jobs where payload->>'mark' is not null";
    return (await pool().query<{ mark: string }>(text)).rows.map(({ mark }) => mark).sort();
  };
  const marksOf = (count: number) => Array.from({ length: count }, () => newId()).sort();
  const forget = () => pool().query("delete from graphile_worker._private_jobs");

  test("moves each row exactly once, with four relays at once while rows are added", async () => {
    const marks = marksOf(3_000);
    let coming = true;
    const arrivals = (async () => {
      for (let at = 0; at < marks.length; at += 250) await addToOutbox(marks.slice(at, at + 250));
      coming = false;
    })();
    const relays = Array.from({ length: 4 }, async () => {
      let moved = 0;
      for (;;) {
        const last = !coming;
        const now = await relayOnce();
        moved += now;
        if (now === 0 && last) return moved;
      }
    });
    const moved = await Promise.all(relays);
    await arrivals;
    expect(moved.reduce((sum, count) => sum + count, 0)).toBe(marks.length);
    expect(await jobs()).toEqual(marks);
    await forget();
  });

  test("leaves a row whose transaction is still open, and moves it afterwards", async () => {
    const [first = "", second = ""] = marksOf(2);
    await asSystem(async (tx) => {
      await tx.outbox.create({ data: { name: "webhooks.dispatch", payload: { mark: first } } });
      await addToOutbox([second]);
      expect(await relayOnce()).toBe(1);
    });
    expect(await jobs()).toEqual([second]);
    expect(await relayOnce()).toBe(1);
    expect(await jobs()).toEqual([first, second].sort());
    await forget();
  });

  test("keeps the rows when it cannot add the jobs", async () => {
    const [mark = ""] = marksOf(1);
    await addToOutbox([mark]);
    await pool().query("alter function graphile_worker.add_jobs rename to add_jobs_gone");
    await expect(relayOnce()).rejects.toThrow();
    await pool().query("alter function graphile_worker.add_jobs_gone rename to add_jobs");
    expect(await relayOnce()).toBe(1);
    expect(await jobs()).toEqual([mark]);
    await forget();
  });
});

/** A proxy before the rail: the first request about each payment waits until `letGo` is called, and no other does. */
async function servePausingRail() {
  const asked: string[] = [];
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const server = createServer(async ({ url = "", headers }, response) => {
    const isAboutOne = !url.includes("?");
    const first = isAboutOne && !asked.includes(url);
    if (isAboutOne) asked.push(url);
    if (first) await gate;
    const answer = await fetch(`${rail.url}${url}`, { headers: { authorization: headers.authorization ?? "" } });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, letGo };
}

const WORKER = `import { registry } from "@/lib/jobs/registry";
import { migrateQueue, startWorker } from "@/lib/jobs/worker";
  const stop = await startWorker(registry);
  process.on("SIGTERM", () => stop().then(() => console.log("stopped")).then(() => process.exit(0)));
  console.log("ready");`;

async function startWorkerAt(url: string): Promise<Program> {
  const worker = await startProgram(WORKER, { SIMULATOR_URL: url, APP_URL: rail.url });
  await worker.says("ready");
  return worker;
}

/** A sale that is paid at the rail without a callback, and the job that completes it. */
async function paidSale(seller: Made) {
  const deposit = await requestDeposit(seller.account, cashIn(), call());
  const receipt = await railFor("sandbox")?.pay?.({ code: deposit.pix_code });
  await pool().query("update simulator_pix set notify_at = null");
  await pool().query("delete from outbox");
  const payload = { provider: "simulator", endToEndId: receipt?.endToEndId ?? "" };
  return { id: deposit.identifier, complete: (name = "deposits.complete") => addJobs(name, [{ payload }]) };
}

/** The worker that holds the job which waits for the rail. */
async function holder() {
  const text = "select locked_by from graphile_worker.jobs where task_identifier = 'deposits.complete'";
  return (await pool().query<{ locked_by: string | null }>(text)).rows[0]?.locked_by;
}

const statusOf = ({ accountId }: Made, id: string) =>
  forAccount(accountId, async (tx) => {
    const sale = await tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } });
    return sale.status;
  });

test("the job of a worker that was killed in the middle of it runs again within 10 s, and moves the money once", {
  timeout: 60_000,
}, async () => {
  const pausing = await servePausingRail();
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const { id, complete } = await paidSale(seller);
  const doomed = await startWorkerAt(pausing.url);
  await complete();
  await vi.waitFor(() => expect(pausing.asked).toHaveLength(1), { timeout: 20_000, interval: 20 });
  const other = await startWorkerAt(pausing.url);
  expect(await statusOf(seller, id)).toBe("pending");

  await doomed.kill();
  const killedAt = performance.now();
  const isPaid = async () => expect(await statusOf(seller, id)).toBe("completed");
  await vi.waitFor(isPaid, { timeout: 20_000, interval: 50 });

  expect(performance.now() - killedAt).toBeLessThan(10_000);
  expect(pausing.asked).toHaveLength(2);
  expect(await readBalances(seller.accountId)).toMatchObject({ available: 10_000 });
  expect(await historyOf(seller.accountId, id)).toEqual(["pending", "pending → completed"]);
  await other.kill();
  await pool().query("delete from graphile_worker._private_jobs"); // the killed worker may have held the sale's dispatch
  expect(await reconcile({ inFlightMs: 0 })).toEqual([]);
});

test("a living worker keeps its job however long it takes, and when it is stopped it finishes the job first", {
  timeout: 60_000,
}, async () => {
  const pausing = await servePausingRail();
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const { id, complete } = await paidSale(seller);
  const worker = await startWorkerAt(pausing.url);
  await complete();
  await vi.waitFor(() => expect(pausing.asked).toHaveLength(1), { timeout: 20_000, interval: 20 });
  const before = await holder();
  for (let time = 0; time < 20; time += 1) await freeLostJobs(0);
  worker.child.kill("SIGTERM");
  for (let time = 0; time < 20; time += 1) await freeLostJobs(0);
  expect(before).toEqual(expect.stringMatching(/\w/));
  expect(await holder()).toBe(before);
  expect(worker.child.exitCode).toBeNull();
  expect(pausing.asked).toHaveLength(1);

  pausing.letGo();
  await worker.says("stopped");
  expect(await statusOf(seller, id)).toBe("completed");
  expect(await readBalances(seller.accountId)).toMatchObject({ available: 10_000 });
});

test("a whole payment, from the code to the webhook's dispatch, needs only a worker", {
  timeout: 30_000,
}, async () => {
  const seller = await makeAccount({ feeBasisPoints: 199 });
  const stop = await startWorker(registry);
  const deposit = await requestDeposit(seller.account, cashIn(), call());
  await railFor("sandbox")?.pay?.({ code: deposit.pix_code }); // the PSP calls back, and the callback's job completes the deposit
  const isPaid = async () => expect(await statusOf(seller, deposit.identifier)).toBe("completed");
  await vi.waitFor(isPaid, { timeout: 15_000, interval: 50 });
  await vi.waitFor(async () => {
    const { rows } = await pool().query("select count(*)::int as left from graphile_worker.jobs");
    expect(rows).toEqual([{ left: 0 }]);
  }, 10_000);
  await stop();
  expect(await readBalances(seller.accountId)).toMatchObject({ available: 9_801 });
  expect(await reconcile({ inFlightMs: 0 })).toEqual([]);
});

test("a payment whose job the release before left in the queue, under the name of that release, completes its sale", async () => {
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const { id, complete } = await paidSale(seller);
  // Older than what deposits.poll looks back for.
  await pool().query("update simulator_pix set paid_at = paid_at - interval '10 days'");
  await complete("deposits.settle");
  const stop = await startWorker(registry);
  onTestFinished(stop);
  const isPaid = async () => expect(await statusOf(seller, id)).toBe("completed");
  await vi.waitFor(isPaid, { timeout: 4_000, interval: 50 });
  expect(await readBalances(seller.accountId)).toMatchObject({ available: 10_000 });
});

test("a worker whose connection died silently takes its lock again, and keeps its jobs", {
  timeout: 30_000,
}, async () => {
  const { DATABASE_PROGRAM_URL } = env;
  const proxy = await serveDatabaseProxy(DATABASE_PROGRAM_URL);
  onTestFinished(proxy.close);
  Object.assign(env, { DATABASE_PROGRAM_URL: proxy.url });
  const alive = await startAliveLocks();
  onTestFinished(() => alive.stop());
  await alive.hold("worker-of-this-test");
  const locks = async () => {
    const text = "select count(*)::int as held from pg_locks where locktype = 'advisory' and objid::int8 = $1";
    const { rows: hash } = await pool().query("select (hashtext('worker-of-this-test')::int8 & 4294967295) as id");
    return (await pool().query(text, [hash[0].id])).rows[0].held;
  };
  expect(await locks()).toBe(1);
  proxy.goSilent();
  await vi.waitFor(async () => expect(await locks()).toBe(0), { timeout: 5_000, interval: 20 });
  await vi.waitFor(async () => expect(await locks()).toBe(1), { timeout: 15_000, interval: 100 });
  await alive.hold("another-worker");
  Object.assign(env, { DATABASE_PROGRAM_URL });
});

test("jobs of an older version that nothing runs any more are deleted with their queues, and no other job is", async () => {
  const key = newId();
  const add = (task: string, queue: string) =>
    pool().query("select from graphile_worker.add_job($1, '{}', queue_name => $2, job_key => $3)", [
      task,
      queue,
      `${task}:${key}`,
    ]);
  await add("webhooks.deliver", `webhook:${key}:3`);
  await add("webhooks.wake", `retry:${key}:0`);
  await add("simulator.notify", `other:${key}`);
  await migrateQueue();
  const jobs = "select task_identifier as task from graphile_worker.jobs where key like '%' || $1";
  expect((await pool().query(jobs, [key])).rows).toEqual([{ task: "simulator.notify" }]);
  const queues =
    "select queue_name as name from graphile_worker._private_job_queues where queue_name like '%' || $1 || '%'";
  expect((await pool().query(queues, [key])).rows).toEqual([{ name: `other:${key}` }]);
  await pool().query("delete from graphile_worker._private_jobs");
});

describe("retention", () => {
  test("every table that keeps what people did has a term, and the ledger has none", () => {
    const tables = retention.map(({ table }) => table as string);
    expect(tables).toEqual(
      expect.arrayContaining(["request_log", "delivery_bodies", "delivery_attempts", "idempotency_keys", "sessions"]),
    );
    for (const kept of ["ledger_entries", "ledger_postings", "transactions", "events"]) {
      expect(tables).not.toContain(kept);
    }
  });

  test("rows past their term are deleted, and rows within it are kept", async () => {
    const { accountId, token } = await makeAccount();
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    const request = { accountId, method: "GET", path: "/", status: 200, durationMs: 1, ip: "::1" };
    const key = { accountId, requestHash: new Uint8Array(32) };
    const delivery = newId();
    const attempt = { accountId, deliveryId: delivery, durationMs: 1 };
    const event = { accountId, contract: "event", event: "transaction.created", body: "{}" } as const;
    await forAccount(accountId, async (tx) => {
      await tx.deliveryBody.createMany({
        data: [13, 15].map((age) => ({ eventId: newId(), ...event, createdAt: days(age) })),
      });
      await tx.requestLog.createMany({
        data: [29, 31].map((age) => ({ id: newId(), ...request, createdAt: days(age) })),
      });
      await tx.accountStorage.createMany({ data: [30, 33].map((age) => ({ accountId, day: days(age), bytes: 1 })) });
      await tx.idempotencyKey.createMany({
        data: [0.9, 1.1].map((age) => ({ ...key, key: `${age}`, createdAt: days(age) })),
      });
      await tx.deliveryAttempt.createMany({
        data: [13, 15].map((age, at) => ({ id: newId(), ...attempt, attempt: at, createdAt: days(age) })),
      });
    });
    await pool().query("update access_tokens set expires_at = now() - interval '1 s' where account_id <> $1", [
      accountId,
    ]);

    const gone = await purge();

    expect(gone).toMatchObject({ request_log: 1, idempotency_keys: 1, delivery_bodies: 1, delivery_attempts: 1 });
    expect(gone.account_storage).toBe(1);
    expect(gone.access_tokens).toBeGreaterThan(0);
    const left = await forAccount(accountId, async (tx) => [
      await tx.requestLog.count(),
      (await tx.idempotencyKey.findMany()).map((kept) => kept.key),
      await tx.deliveryAttempt.count(),
    ]);
    expect(left).toEqual([1, ["0.9"], 1]);
    const { rows } = await pool().query("select count(*)::int as left from access_tokens");
    expect(rows).toEqual([{ left: 1 }]);
    expect(token).toBeTruthy();
    expect(await purge()).toMatchObject({
      request_log: 0,
      idempotency_keys: 0,
      delivery_attempts: 0,
      access_tokens: 0,
    });
  });
});
