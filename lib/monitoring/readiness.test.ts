import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { env } from "@/lib/env";
import { newReadiness } from "@/lib/monitoring/readiness";
import { connected, openOwnDatabase, ownerUrl, reconnectAt } from "@/lib/testing/own-database";

/** These tests change which migrations the database has, and lose it. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const asOwner = (text: string) => connected(ownerUrl(), (client) => client.query(text));
const nothingDue = async () => [];
const noSkew = () => 12;

test("a process whose database answers with the schema and the time that it expects is ready", async () => {
  const { isReady, checks } = await newReadiness(nothingDue, noSkew)();
  expect(isReady).toBe(true);
  expect(checks).toEqual({
    database: { status: "ok", ms: expect.any(Number) },
    schema: { status: "ok" },
    clock: { status: "ok", skew_ms: 12 },
    loops: { status: "ok", oldest_seconds: 0 },
  });
});

test.each([
  [
    "lacks a migration of this build",
    "update _prisma_migrations set finished_at = null where ctid = (select max(ctid) from _prisma_migrations)",
    { missing: 1, newer: 0 },
  ],
  [
    "has one that came later",
    "insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('1', '', '30000101000000_later', now())",
    { missing: 0, newer: 1 },
  ],
  [
    "is older than the function that says so",
    "drop function applied_migrations()",
    { missing: expect.any(Number), newer: 0 },
  ],
])("a process whose database %s is not ready", async (_, change, facts) => {
  const definition = "select pg_get_functiondef('applied_migrations'::regproc) as text";
  const { rows } = await asOwner(definition);
  await asOwner("create table kept as select * from _prisma_migrations");
  onTestFinished(async () => {
    await asOwner(`delete from _prisma_migrations; insert into _prisma_migrations select * from kept; drop table kept; ${rows[0].text};
      grant execute on function applied_migrations() to public`);
  });
  await asOwner(change);
  const { isReady, checks } = await newReadiness(nothingDue, noSkew)();
  expect({ isReady, schema: checks.schema }).toEqual({ isReady: false, schema: { status: "failed", ...facts } });
  expect(checks.database).toMatchObject({ status: "ok" });
});

test.each([
  [30_001, "failed", false],
  [-30_001, "failed", false],
  [29_000, "ok", true],
  [undefined, "unknown", true],
])("a clock that is %s ms ahead of the database's is %s", async (ms, status, isReady) => {
  const readiness = await newReadiness(nothingDue, () => ms)();
  expect([readiness.checks.clock?.status, readiness.isReady]).toEqual([status, isReady]);
});

test("work that waits is told by the loop that is latest, and takes no server out of service", async () => {
  const lags = async () => [
    { loop: "watches.ask", oldestSeconds: 75 },
    { loop: "mails", oldestSeconds: 61 },
  ];
  const { isReady, checks } = await newReadiness(lags, noSkew)();
  expect([isReady, checks.loops]).toEqual([true, { status: "late", oldest_seconds: 75, loop: "watches.ask" }]);
});

test("many who ask at once cost one question, and a database that is away is one answer", async () => {
  const here = env.DATABASE_PROGRAM_URL;
  onTestFinished(() => reconnectAt(here));
  let reads = 0;
  const readiness = newReadiness(async () => {
    reads += 1;
    return [];
  }, noSkew);
  await Promise.all(Array.from({ length: 100 }, readiness));
  expect(reads).toBe(1);
  await reconnectAt("postgresql://nobody:secret@127.0.0.1:1/shop");
  const { isReady, checks } = await newReadiness(nothingDue, noSkew)();
  expect(isReady).toBe(false);
  expect(checks).toMatchObject({
    database: { status: "failed" },
    schema: { status: "unknown" },
    loops: { status: "unknown" },
  });
  expect(JSON.stringify(checks)).not.toContain("secret");
});
