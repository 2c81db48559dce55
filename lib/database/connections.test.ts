import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { openPooler } from "@/bench/pooler.mjs";
import { silence } from "@/lib/database/connections";
import {
  asSystem,
  forAccount,
  inBackground,
  isUnavailable,
  pool,
  prisma,
  runPrepared,
  transactionOverAll,
} from "@/lib/db";
import { CHANNEL, onWake } from "@/lib/due/wake";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { startListening } from "@/lib/jobs/listen";
import { startTimetable } from "@/lib/jobs/timetable";
import { isInProgress, whileInProgress } from "@/lib/outside/in-progress";
import { serveDatabaseProxy } from "@/lib/testing/database-proxy";
import { openHost } from "@/lib/testing/http";
import { makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, reconnectAt } from "@/lib/testing/own-database";
import { tracesOf } from "@/lib/testing/traces";

/** These tests break and crowd the database, so they use one of their own. */
let drop: () => Promise<void>;
let direct: string;
beforeAll(async () => {
  drop = await openOwnDatabase();
  direct = env.DATABASE_PROGRAM_URL;
});
afterAll(async () => {
  await reconnectAt(direct);
  await drop();
});

const pid = "select pg_backend_pid() as pid";
/** Every way in which the code queries the database: each returns or throws. */
const uses = {
  read: () => prisma().user.count(),
  statement: () => runPrepared("pid", pid, []),
  transaction: () => asSystem((tx) => tx.user.count()),
  set: () => transactionOverAll((query) => query("pid", pid, [])),
};
const useAll = () => Promise.allSettled(Object.values(uses).map((use) => use()));

describe("a database that falls silent", () => {
  const host = openHost(routes);
  const usual = { ...silence };
  let proxy: Awaited<ReturnType<typeof serveDatabaseProxy>>;
  beforeEach(async () => {
    proxy = await serveDatabaseProxy(direct);
    await reconnectAt(proxy.url);
    Object.assign(silence, { afterMs: 1_000, lookEveryMs: 100 });
  });
  afterEach(async () => {
    Object.assign(silence, usual);
    await reconnectAt(direct);
    proxy.close();
  });

  test("fails whatever waits for it as unavailable, and the next use has a connection of its own", async () => {
    await useAll();
    proxy.goSilent();
    const failures = await useAll();
    for (const one of failures) expect(one.status === "rejected" && isUnavailable(one.reason)).toBe(true);
    for (const use of Object.values(uses)) await use();
  });

  test("loses every connection at once, also those that wait for nothing or are in a transaction of background work", async () => {
    await Promise.all([useAll(), inBackground(useAll)]);
    let open = () => {};
    const opened = new Promise<void>((done) => (open = done));
    const transaction = inBackground(() =>
      transactionOverAll(async (query) => {
        await query("pid", pid, []);
        open();
        // It holds its connection for longer than the silence, and nobody else loses theirs for that.
        return query("sleep", "select pg_sleep(60)", []).finally(() => sleep(2_000));
      }),
    );
    transaction.catch(() => {});
    await opened;
    proxy.goSilent();
    await expect(runPrepared("pid", pid, [])).rejects.toSatisfy(isUnavailable);
    const [slow] = await inBackground(() =>
      transactionOverAll((query) => query("slow", "select pg_sleep(1.5)::text as done", [])),
    );
    expect(slow).toEqual({ done: "" });
    await expect(transaction).rejects.toSatisfy(isUnavailable);
    await inBackground(uses.set);
  });

  test("is no database that runs a long statement of background work", async () => {
    const slow = () =>
      transactionOverAll((query) => query<{ done: boolean }>("slow", "select pg_sleep(2) is null as done", []));
    expect(await inBackground(slow)).toHaveLength(1);
  });

  test("may have done what it was told: a write in doubt is looked up, and its repeat gets the same answer", async () => {
    const seller = await makeAccount();
    silence.afterMs = 3_000; // what is looked up must be answered in this time on a busy machine too
    const ask = { token: seller.token, body: { amount: 5 }, key: newId() };
    const before = (await tracesOf(seller.accountId)).transactions ?? 0;
    proxy.loseAnswerSilently("insert into");
    const first = host.ask("POST", "/api/partner/v1/cash-in", ask);
    await vi.waitFor(() => expect(proxy.faultsLeft()).toBe(0));
    const answer = await first;
    const repeat = await host.ask("POST", "/api/partner/v1/cash-in", ask);
    expect([answer.status < 300, repeat.text]).toEqual([true, answer.text]);
    expect(repeat.headers.get("idempotency-replayed")).toBe("true");
    expect((await tracesOf(seller.accountId)).transactions).toBe(before + 1);
  });
});

test("queries that one connection is asked for at once wait outside of the driver, and one that fails stops none", async () => {
  const client = await pool().connect();
  const inDriver = () => (client as unknown as { _queryQueue: unknown[] })._queryQueue.length;
  const asked = ["select 1 as n", "no such statement", "select 3 as n"].map((text) => client.query(text));
  const ended = Promise.allSettled(asked);
  await Promise.resolve();
  expect(inDriver()).toBe(0);
  const [first, second, third] = await ended;
  client.release();
  expect(second?.status).toBe("rejected");
  expect([first, third]).toMatchObject([{ value: { rows: [{ n: 1 }] } }, { value: { rows: [{ n: 3 }] } }]);
});

describe("of several hosts", () => {
  let [one, other]: Awaited<ReturnType<typeof serveDatabaseProxy>>[] = [];
  beforeEach(async () => {
    [one, other] = [await serveDatabaseProxy(direct), await serveDatabaseProxy(direct)];
    other.demote(true);
    const url = new URL(one.url);
    url.searchParams.set("hosts", [one, other].map(({ url }) => new URL(url).host).join(","));
    await reconnectAt(url.href);
  });
  afterEach(async () => {
    Object.assign(silence, { afterMs: 7_000, lookEveryMs: 500 });
    await reconnectAt(direct);
    one?.close();
    other?.close();
  });
  const usual = () => Promise.all(Object.values(uses).map((use) => use()));
  const count = (proxy: typeof one) => proxy?.ports().length ?? 0;

  test("the one that takes writes is used, and the next when that one is gone", async () => {
    await usual();
    expect([count(one) > 0, count(other)]).toEqual([true, 0]);
    one?.goAway();
    await expect(runPrepared("pid", pid, [])).rejects.toSatisfy(isUnavailable); // no host takes writes
    other?.demote(false);
    await vi.waitFor(usual, 5_000);
    expect(count(other)).toBeGreaterThan(0);
  });

  test("the next is used when the one that took writes falls silent", { timeout: 20_000 }, async () => {
    Object.assign(silence, { afterMs: 1_000, lookEveryMs: 100 });
    await usual();
    one?.fallMute();
    other?.demote(false);
    await expect(runPrepared("pid", pid, [])).rejects.toSatisfy(isUnavailable);
    await vi.waitFor(usual, 8_000);
    expect(count(other)).toBeGreaterThan(0);
  });
});

describe("through a pooler of transactions", () => {
  let pooler: Awaited<ReturnType<typeof openPooler>>;
  beforeAll(async () => {
    pooler = await openPooler({ port: 0, target: Number(new URL(direct).port), serverConnections: 3 });
    await reconnectAt(Object.assign(new URL(direct), { port: pooler.port }).href);
    Object.assign(env, { DIRECT_PROGRAM_URL: direct });
  });
  afterAll(async () => {
    Object.assign(env, { DIRECT_PROGRAM_URL: undefined });
    await reconnectAt(direct);
    await pooler.close();
  });

  test("many statements and transactions at once share few connections, each in its own scope", async () => {
    const sellers = await Promise.all([makeAccount(), makeAccount(), makeAccount()]);
    const seen = await Promise.all(
      Array.from({ length: 60 }, (_, nth) => {
        const { accountId } = sellers[nth % 3] ?? sellers[0];
        const own = forAccount(accountId, (tx) => tx.account.findMany({ select: { id: true } }));
        return Promise.all([own, runPrepared("pid", pid, [])]).then(([found]) =>
          found.every(({ id }) => id === accountId),
        );
      }),
    );
    expect(seen).toEqual(Array.from({ length: 60 }, () => true));
    const [row] = await runPrepared<{ count: number }>(
      "count",
      "select count(*)::int from pg_stat_activity where application_name = 'pooler' and datname = current_database()",
      [],
    );
    expect(row?.count).toBeLessThanOrEqual(3);
  });

  test("every session has the program's settings", async () => {
    const text = `select current_setting('plan_cache_mode') as plans, current_setting('enable_seqscan') as scans,
      current_setting('jit') as jit, current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`;
    const wanted = { plans: "force_generic_plan", scans: "off", jit: "off", statement: "5s", idle: "1min" };
    expect(await runPrepared("settings", text, [])).toEqual([wanted]);
  });

  test("a call is seen to be under way by every process, and no longer when it ended", async () => {
    const id = newId();
    await whileInProgress(id, async () => expect(await isInProgress(id)).toBe(true));
    await vi.waitFor(async () => expect(await isInProgress(id)).toBe(false));
  });

  test("a worker hears what others notify, and its timetable runs", async () => {
    const heard: string[] = [];
    onTestFinished(onWake("mails", () => heard.push("mails")));
    const stopListening = startListening((error) => heard.push(String(error)));
    onTestFinished(stopListening);
    await vi.waitFor(() => expect(heard).toEqual(["mails"])); // by its start
    await inBackground(() => runPrepared("notify", "select pg_notify($1, 'mails')", [CHANNEL]));
    await vi.waitFor(() => expect(heard).toEqual(["mails", "mails"]));
    let ran = 0;
    const job = { name: "now", everyMs: 86_400_000, from: "06:00", run: async () => (ran += 1) } as const;
    await connected(direct, (client) => client.query("insert into timed_jobs (name, due_at) values ('now', now())"));
    onTestFinished(inBackground(() => startTimetable([job])((error) => heard.push(String(error)))));
    await vi.waitFor(() => expect(ran).toBe(1), 10_000);
    expect(heard).toEqual(["mails", "mails"]);
  });

  test("without a way past it, a worker notices that it hears nothing, and looks by itself", {
    timeout: 20_000,
  }, async () => {
    Object.assign(env, { DIRECT_PROGRAM_URL: undefined });
    onTestFinished(() => void Object.assign(env, { DIRECT_PROGRAM_URL: direct }));
    const failures: string[] = [];
    let woken = 0;
    onTestFinished(
      onWake("mails", () => {
        woken += 1;
      }),
    );
    onTestFinished(startListening((error) => failures.push(String(error)), 50));
    await vi.waitFor(() => expect(failures[0]).toContain("DIRECT_URL"), 5_000);
    await vi.waitFor(() => expect(woken).toBeGreaterThan(1), 5_000);
  });
});
