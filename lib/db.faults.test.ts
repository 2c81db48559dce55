import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { asSystem, isUnavailable, pool, prisma, runPrepared, transactionOverAll } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { serveDatabaseProxy } from "@/lib/testing/database-proxy";
import { openHost } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl, reconnectAt } from "@/lib/testing/own-database";
import { tracesOf } from "@/lib/testing/traces";

/** These tests break the database, so they use one of their own. */
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

const asOwner = (text: string) => connected(ownerUrl(), (client) => client.query(text));
const killBackends = () =>
  asOwner(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where application_name = 'repasse' and datname = current_database()`);

/** Every way in which the code queries the database. */
const uses = {
  read: () => prisma().user.count(),
  raw: () => prisma().$queryRaw`select count(*)::int from users`,
  transaction: () => asSystem((tx) => tx.user.count()),
  "raw transaction": () => asSystem((tx) => tx.$queryRaw`select count(*)::int from users`),
  statement: () => runPrepared("count-users", "select count(*)::int from users", []),
  set: () => transactionOverAll((query) => query("count-users", "select count(*)::int from users", [])),
};

async function failureOf(run: () => Promise<unknown>): Promise<unknown> {
  const failure = await run().then(
    () => "none",
    (error: unknown) => error,
  );
  expect(failure, "it must fail").toBeInstanceOf(Error);
  return failure;
}

/** A failure must not keep a connection, because no other caller could use it. */
const allAreBack = () => vi.waitFor(() => expect(pool().idleCount).toBe(pool().totalCount));

describe.each([
  ["is closed", false],
  ["is reset", true],
])("when a connection %s", (_, resets) => {
  let proxy: Awaited<ReturnType<typeof serveDatabaseProxy>>;
  beforeAll(async () => {
    proxy = await serveDatabaseProxy(direct, { resets });
  });
  beforeEach(() => reconnectAt(proxy.url));
  afterAll(() => proxy.close());

  const steps = [
    ...Object.keys(uses).map((name) => [name, "connecting", "application_name"] as const),
    ...Object.keys(uses).map((name) => [name, "the statement", "users"] as const),
    ...["transaction", "raw transaction"].flatMap((name) => [
      [name, "begin", "BEGIN"] as const,
      [name, "the scope", "set_config"] as const,
      [name, "commit", "COMMIT"] as const,
    ]),
    ["set", "begin", "begin"] as const,
    ["set", "commit", "commit"] as const,
  ];
  test.each(steps)("a %s at %s fails as unavailable and keeps no connection", async (name, _step, text) => {
    const run = uses[name as keyof typeof uses];
    for (const lose of [proxy.loseStatement, proxy.loseAnswer]) {
      lose(text);
      const failure = await failureOf(run);
      expect(proxy.faultsLeft()).toBe(0);
      expect(isUnavailable(failure), String(failure)).toBe(true);
    }
    await allAreBack();
    await run();
  });

  test("a database that refuses connections is unavailable", async () => {
    proxy.goAway();
    for (const run of Object.values(uses)) expect(isUnavailable(await failureOf(run))).toBe(true);
    await proxy.comeBack();
    for (const run of Object.values(uses)) await run();
  });
});

describe("when the server ends a connection", () => {
  beforeEach(() => reconnectAt(direct));

  test("while it runs a statement, the statement fails as unavailable", async () => {
    await connected(ownerUrl(), async (holder) => {
      for (const [name, run] of Object.entries(uses)) {
        await holder.query("begin; lock table users in access exclusive mode");
        const failing = failureOf(run);
        const isWaiting = `select from pg_locks where not granted
          and database = (select oid from pg_database where datname = current_database())`;
        while ((await holder.query(isWaiting)).rowCount === 0);
        await killBackends();
        await holder.query("rollback");
        expect(isUnavailable(await failing), name).toBe(true);
      }
    });
  });

  test("inside a transaction, its next statement and its commit fail as unavailable", async () => {
    const next = () =>
      asSystem(async (tx) => {
        await tx.user.count();
        await killBackends();
        await tx.user.count();
      });
    const commit = () =>
      asSystem(async (tx) => {
        await tx.user.count();
        await killBackends();
      });
    for (const run of [next, commit]) expect(isUnavailable(await failureOf(run))).toBe(true);
    await allAreBack();
    await uses.transaction();
  });
});

describe("a database that is", () => {
  beforeEach(() => reconnectAt(direct));

  test("full is unavailable", async () => {
    const database = new URL(direct).pathname.slice(1);
    await asOwner(`alter database ${database} connection limit 0`);
    for (const [name, run] of Object.entries(uses)) expect(isUnavailable(await failureOf(run)), name).toBe(true);
    await asOwner(`alter database ${database} connection limit -1`);
    for (const run of Object.values(uses)) await run();
  });

  test("too slow is unavailable", async () => {
    const slow = (setting: string) =>
      asSystem(async (tx) => {
        await tx.$executeRaw`select set_config(${setting}, '50ms', true)`;
        await tx.user.count();
      });
    await connected(ownerUrl(), async (holder) => {
      await holder.query("begin; lock table users in access exclusive mode");
      expect(isUnavailable(await failureOf(() => slow("statement_timeout")))).toBe(true);
      expect(isUnavailable(await failureOf(() => slow("lock_timeout")))).toBe(true);
      const config = { text: "select count(*) from users", query_timeout: 50 };
      expect(isUnavailable(await failureOf(() => pool().query(config)))).toBe(true);
    });
  });

  test("given a wrong statement is not unavailable", async () => {
    const nonsense = [
      () => prisma().$queryRaw`select * from no_such_table`,
      () => asSystem((tx) => tx.$executeRaw`select 1/0`),
      () => runPrepared("nonsense", "select nonsense", []),
      () => prisma().user.findFirstOrThrow({ where: { email: "nobody" } }),
    ];
    for (const run of nonsense) expect(isUnavailable(await failureOf(run))).toBe(false);
  });
});

describe("a write", () => {
  const host = openHost(routes);
  let proxy: Awaited<ReturnType<typeof serveDatabaseProxy>>;
  let seller: Made;
  beforeAll(async () => {
    proxy = await serveDatabaseProxy(direct);
    await reconnectAt(proxy.url);
    seller = await makeAccount();
  });
  afterAll(() => proxy.close());

  /** One verb of a single statement, one of a transaction: each with its route, body, last statement and table. */
  const writes = [
    ["of one statement", "/api/partner/v1/cash-in", { amount: 5 }, "insert into", "transactions"],
    ["of a transaction", "/api/partner/v1/credentials", { name: "Loja" }, "COMMIT", "credentials"],
  ] as const;

  test.each(writes)("%s whose connection breaks before it arrives is 503, and its repeat is done", async (...given) => {
    const [, path, body, text, traced] = given;
    const ask = { token: seller.token, body, key: newId() };
    const before = (await tracesOf(seller.accountId))[traced] ?? 0;
    await reconnectAt(proxy.url);
    proxy.loseStatement(text);
    const failed = await host.ask("POST", path, ask);
    expect(proxy.faultsLeft()).toBe(0);
    expect(failed.status).toBe(503);
    const repeat = await host.ask("POST", path, ask);
    expect([repeat.status < 300, repeat.headers.get("idempotency-replayed")]).toEqual([true, null]);
    expect((await tracesOf(seller.accountId))[traced]).toBe(before + 1);
  });

  test.each(writes)(
    "%s whose answer is lost was done once, and its key is answered with that answer",
    async (...given) => {
      const [, path, body, text, traced] = given;
      const ask = { token: seller.token, body, key: newId() };
      const before = (await tracesOf(seller.accountId))[traced] ?? 0;
      await reconnectAt(proxy.url);
      proxy.loseAnswer(text);
      const first = await host.ask("POST", path, ask);
      expect(proxy.faultsLeft()).toBe(0);
      const repeat = await host.ask("POST", path, ask);
      expect([first.status < 300, repeat.text]).toEqual([true, first.text]);
      expect(repeat.headers.get("idempotency-replayed")).toBe("true");
      expect((await tracesOf(seller.accountId))[traced]).toBe(before + 1);
    },
  );
});
