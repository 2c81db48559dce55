import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { asSystem, forAccount, inBackground, pool } from "@/lib/db";
import { requestDeposit } from "@/lib/deposits/request";
import { newId } from "@/lib/ids";
import { registry } from "@/lib/jobs/registry";
import { purge } from "@/lib/jobs/retention";
import { startTimetable } from "@/lib/jobs/timetable";
import { startWorker } from "@/lib/jobs/worker";
import { readBalances } from "@/lib/ledger/balance";
import { retention } from "@/lib/privacy/retention";
import { railFor } from "@/lib/rails/pix/rails";
import { reconcile } from "@/lib/reconcile/reconcile";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { type Program, startProgram } from "@/lib/testing/program";
import { serveRail } from "@/lib/testing/rail";
import { historyOf } from "@/lib/testing/traces";

/** Workers do all that is due in the database, so these tests have a database of their own. */
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
import { startWorker } from "@/lib/jobs/worker";
  const stop = startWorker(registry);
  process.on("SIGTERM", () => stop().then(() => console.log("stopped")).then(() => process.exit(0)));
  console.log("ready");`;

async function startWorkerAt(url: string): Promise<Program> {
  const worker = await startProgram(WORKER, { SIMULATOR_URL: url, APP_URL: rail.url });
  await worker.says("ready");
  return worker;
}

/** A sale that is paid at the rail without a callback, and what lets a worker complete it. */
async function paidSale(seller: Made) {
  const deposit = await requestDeposit(seller.account, cashIn(), call());
  const receipt = await railFor("sandbox")?.pay?.({ code: deposit.pix_code });
  const endToEndId = receipt?.endToEndId;
  await pool().query("update simulator_pix set notify_at = null");
  const complete = () =>
    pool().query("insert into watches (provider, kind, id) values ('simulator', 'payment', $1)", [endToEndId]);
  return { id: deposit.identifier, complete };
}

const statusOf = ({ accountId }: Made, id: string) =>
  forAccount(accountId, async (tx) => {
    const sale = await tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } });
    return sale.status;
  });

/** What is due and nobody has done yet. */
async function waiting() {
  const [row] = await asSystem(
    (tx) => tx.$queryRaw<{ waits: number }[]>`
      select ((select count(*) from outbox) + (select count(*) from watches where ask_at is not null))::int
        as waits`,
  );
  return row?.waits;
}

test("what a worker was doing when it was killed is done by another, and the money moves once", {
  timeout: 60_000,
}, async () => {
  const pausing = await servePausingRail();
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const { id, complete } = await paidSale(seller);
  const doomed = await startWorkerAt(pausing.url);
  await complete();
  await vi.waitFor(() => expect(pausing.asked).not.toEqual([]), { timeout: 20_000, interval: 20 });
  const other = await startWorkerAt(pausing.url);
  expect(await statusOf(seller, id)).toBe("pending");

  await doomed.kill();
  const isPaid = async () => expect(await statusOf(seller, id)).toBe("completed");
  await vi.waitFor(isPaid, { timeout: 40_000, interval: 50 });

  expect(pausing.asked.length).toBeGreaterThan(1);
  expect(await readBalances(seller.accountId)).toMatchObject({ available: 10_000 });
  expect(await historyOf(seller.accountId, id)).toEqual(["pending", "pending → completed"]);
  await other.kill();
  expect(await reconcile({ inFlightMs: 0 })).toEqual([]);
});

test("a worker that is stopped finishes what it has begun, and begins nothing more", { timeout: 60_000 }, async () => {
  const pausing = await servePausingRail();
  const seller = await makeAccount({ feeBasisPoints: 0 });
  const { id, complete } = await paidSale(seller);
  const worker = await startWorkerAt(pausing.url);
  await complete();
  await vi.waitFor(() => expect(pausing.asked).not.toEqual([]), { timeout: 20_000, interval: 20 });
  worker.child.kill("SIGTERM");
  expect(worker.child.exitCode).toBeNull();

  pausing.letGo();
  await worker.says("stopped");
  expect(await statusOf(seller, id)).toBe("completed");
  expect(await readBalances(seller.accountId)).toMatchObject({ available: 10_000 });
});

test("a whole payment, from the code to the webhook's dispatch, needs only a worker", {
  timeout: 60_000,
}, async () => {
  const seller = await makeAccount({ feeBasisPoints: 199 });
  const stop = startWorker(registry);
  onTestFinished(stop);
  const deposit = await requestDeposit(seller.account, cashIn(), call());
  await railFor("sandbox")?.pay?.({ code: deposit.pix_code }); // the PSP calls back, and the callback completes the deposit
  const isPaid = async () => expect(await statusOf(seller, deposit.identifier)).toBe("completed");
  await vi.waitFor(isPaid, { timeout: 15_000, interval: 50 });
  await vi.waitFor(async () => expect(await waiting()).toBe(0), 25_000);
  expect(await readBalances(seller.accountId)).toMatchObject({ available: 9_801 });
  expect(await reconcile({ inFlightMs: 0 })).toEqual([]);
});

/** Starts a worker that only looks on which connections its own code runs. */
function startLooking() {
  const pools = new Set<unknown>();
  const look = async () => {
    pools.add(pool());
    return false;
  };
  const attempts = () => {
    pools.add(pool());
    return async () => {};
  };
  const timetable = startTimetable([{ name: "test.entry", everyMs: 86_400_000, from: "00:00", run: look }]);
  const stop = startWorker({
    loops: [{ name: "test.loop", everyMs: 3_600_000, run: look }],
    attempts: [
      { name: "test.attempts", start: attempts },
      { name: "test.timetable", start: timetable },
    ],
  });
  onTestFinished(stop);
  return pools;
}

test("loops, attempts and the timetable use the connections of background work, and leave those of requests", async () => {
  await pool().query("insert into timed_jobs (name, due_at) values ('test.entry', now())");
  const pools = startLooking();
  await vi.waitFor(async () => {
    const { rows } = await pool().query(
      "select from timed_jobs where name = 'test.entry' and due_at > now() + interval '9 s'",
    );
    expect(rows).toHaveLength(1);
  }, 15_000);
  expect([...pools]).toEqual([inBackground(pool)]);
  expect(inBackground(pool)).not.toBe(pool());
});

test("a request is served while background work holds all its connections", async () => {
  const { max } = inBackground(pool).options;
  const held = inBackground(() => Promise.all(Array.from({ length: max }, () => pool().connect())));
  const clients = await held;
  const waits = inBackground(() => pool().query("select 1"));
  expect((await pool().query("select 1 as answer")).rows).toEqual([{ answer: 1 }]);
  for (const client of clients) client.release();
  await waits;
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
    const document = { accountId, kind: "company", contentType: "image/png", size: 1 } as const;
    const file = { wrappedKey: new Uint8Array(1), bytes: new Uint8Array(1), createdAt: days(9_999) };
    const documents = [
      ...[89, 91].map((age) => ({ status: "refused" as const, reason: `${age}`, decidedAt: days(age) })),
      { status: "accepted" as const, decidedAt: days(9_000) },
      ...[9, 11].map((years) => ({ status: "accepted" as const, accountClosedAt: days(365.25 * years) })),
    ].map((one, at) => ({ id: newId(), ...document, ...file, size: at, ...one }));
    await forAccount(accountId, (tx) => tx.accountDocument.createMany({ data: documents }));
    await pool().query("update access_tokens set expires_at = now() - interval '1 s' where account_id <> $1", [
      accountId,
    ]);

    const gone = await purge();

    expect(gone).toMatchObject({ request_log: 1, idempotency_keys: 1, delivery_bodies: 1, delivery_attempts: 1 });
    expect(gone).toMatchObject({ account_storage: 1, account_documents_refused: 1, account_documents_closed: 1 });
    expect(gone.access_tokens).toBeGreaterThan(0);
    const left = await forAccount(accountId, async (tx) => [
      await tx.requestLog.count(),
      (await tx.idempotencyKey.findMany()).map((kept) => kept.key),
      await tx.deliveryAttempt.count(),
      (await tx.accountDocument.findMany({ orderBy: { size: "asc" } })).map(({ size }) => size),
    ]);
    expect(left).toEqual([1, ["0.9"], 1, [0, 2, 3]]);
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
