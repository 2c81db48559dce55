import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import * as balance from "@/app/api/partner/v1/balance/route";
import * as receivedOne from "@/app/simulator/pix/v1/received/[endToEndId]/route";
import { asSystem } from "@/lib/db";
import { readDifferenceFigures } from "@/lib/differences/figures";
import { env } from "@/lib/env";
import { serveMetrics } from "@/lib/http/metrics-server";
import { newId } from "@/lib/ids";
import { registry } from "@/lib/jobs/registry";
import { PLATFORM } from "@/lib/ledger/chart";
import { readTotals } from "@/lib/ledger/totals";
import { observe } from "@/lib/monitoring/observe";
import { railFor } from "@/lib/rails/pix/rails";
import { openHost } from "@/lib/testing/http";
import { fund, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { freePort } from "@/lib/testing/program";
import { makeProvider } from "@/lib/testing/providers";
import { readDatabaseClock } from "@/lib/time/clock-skew";

/** The ledger is summed over the whole database. */
let drop: () => Promise<void>;
let metrics: string;
let stop: () => Promise<void>;
let isDraining = false;
const shared = globalThis as { repasseMetrics?: unknown };

const host = openHost([
  { path: "/api/partner/v1/balance", module: balance },
  { path: "/simulator/pix/v1/received/[endToEndId]", module: receivedOne },
]);

beforeAll(async () => {
  drop = await openOwnDatabase();
  const port = await freePort();
  Object.assign(env, { METRICS_PORT: port });
  metrics = `http://127.0.0.1:${port}`;
  await readDatabaseClock();
  const { name: provider } = await makeProvider();
  const at = new Date(Date.now() - 3_600_000);
  const times = { happenedAt: at, firstSeenAt: at, lastSeenAt: at, updatedAt: at };
  const one = { accountId: PLATFORM, id: newId(), provider, kind: "payment", fault: "missing_here", recordId: "E1" };
  const span = { id: newId(), provider, since: at, until: at, returnsSince: at, endedAt: at };
  await asSystem(async (tx) => {
    await tx.reconcileDifference.create({ data: { ...one, ...times } });
    await tx.railComparison.create({ data: span });
    await tx.railLook.create({ data: { provider, lookedAt: new Date(at.getTime() - 3_600_000) } });
  });
  const readiness = observe("web", registry, {
    certificates: () => [{ provider: "psp", seconds: -90 }],
    differences: readDifferenceFigures,
  });
  stop = await serveMetrics({ readiness, isDraining: () => isDraining }, async () => [
    {
      name: "of_a_thread",
      help: "",
      type: "gauge",
      aggregator: "sum",
      values: [{ value: 7, labels: { part: "worker" } }],
    },
  ]);
});
afterAll(async () => {
  await stop();
  Object.assign(env, { METRICS_PORT: undefined });
  delete shared.repasseMetrics;
  await drop();
});

/** What Prometheus reads: lines `name{labels} value`. */
async function scrape(): Promise<string[]> {
  const response = await fetch(`${metrics}/metrics`);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
  return (await response.text()).split("\n");
}
/** Names the metric of a line, without what a histogram adds to its own. */
const nameOf = (line: string) => line.replace(/[{ ].*/, "");
const linesOf = (lines: readonly string[], start: string) => lines.filter((line) => line.startsWith(start));

test("answers are counted by the route's pattern, and a path that nobody serves is one name", async () => {
  const { token } = await makeAccount();
  await host.ask("GET", "/api/partner/v1/balance", { token });
  for (const nth of [1, 2, 3]) await host.ask("GET", `/api/partner/v1/nothing-${nth}?card=4111111111111111`);
  await fetch(`${host.url}/healthz`);
  const lines = await scrape();
  const counts = linesOf(lines, "repasse_http_request_duration_seconds_count");
  const about = (route: string) => counts.filter((line) => line.includes(`route="${route}"`));
  expect(about("/api/partner/v1/balance")).toEqual([
    expect.stringMatching(/method="GET".*status="200".*part="web".* 1$/),
  ]);
  expect(about("unknown")).toEqual([expect.stringMatching(/status="404".* 3$/)]);
  expect(about("/healthz")).toHaveLength(1);
  expect(lines.join()).not.toMatch(/4111111111111111|nothing-1/);
});

test("what was asked of a provider is counted by its outcome, and what it was asked about is no label", async () => {
  const rail = railFor("sandbox");
  const about = async () =>
    linesOf(await scrape(), "repasse_provider_request_duration_seconds_count").map((line) =>
      line.replace(/.*kind="([^"]+)".*outcome="([^"]+)".* (\d+)$/, "$1 $2 $3"),
    );
  expect(await about()).toEqual([]);
  const id = "E0000000020261125000012345678901";
  expect(await rail?.received(id)).toBeNull();
  const silent = createServer((request) => request.socket.destroy()).listen(0, "127.0.0.1");
  const here = env.SIMULATOR_URL;
  onTestFinished(() => {
    silent.close();
    Object.assign(env, { SIMULATOR_URL: here });
  });
  const { port } = await new Promise<AddressInfo>((done) =>
    silent.once("listening", () => done(silent.address() as AddressInfo)),
  );
  Object.assign(env, { SIMULATOR_URL: `http://127.0.0.1:${port}` });
  await expect(rail?.received(id)).rejects.toThrow("no answer");
  Object.assign(env, { SIMULATOR_URL: `http://127.0.0.1:${await freePort()}` });
  await rail?.received(id).catch(() => {});
  await vi.waitFor(
    async () =>
      expect(await about()).toEqual([
        "GET /received refused 1",
        "GET /received no_answer 1",
        "GET /received unreached 1",
      ]),
    { timeout: 5_000, interval: 300 },
  );
});

test("the ledger's totals are those of its entries, and the whole sums to zero", async () => {
  const { accountId } = await makeAccount();
  await fund(accountId, 12_345);
  const totals = await readTotals();
  const { rows } = await connected(ownerUrl(), (client) =>
    client.query(
      "select 'sandbox' as mode, kind, sum(amount)::float8 as amount from ledger_entries group by kind order by kind",
    ),
  );
  const held = totals.filter(({ amount }) => amount !== 0);
  expect(held.sort((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual(rows);
  expect(totals.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
  expect(held.length).toBeGreaterThan(1);
});

test("of each PSP it is told what differs, up to when it was compared, and when its list was read", async () => {
  const lines = await scrape();
  const value = (start: string) => Number(linesOf(lines, start)[0]?.split(" ").at(-1));
  expect(value("repasse_provider_differences{")).toBe(1);
  expect(value("repasse_provider_compared_seconds{")).toBeGreaterThanOrEqual(3_600);
  expect(value("repasse_provider_looked_seconds{")).toBeGreaterThanOrEqual(7_200);
});

test("connections, memory, the event loop and the figures of the process's thread are there", async () => {
  const lines = await scrape();
  const value = (start: string) => Number(linesOf(lines, start)[0]?.split(" ").at(-1));
  expect(value('repasse_pool_connections_max{use="serving"')).toBe(12);
  expect(
    value('repasse_pool_connections{use="serving",state="idle"') +
      value('repasse_pool_connections{use="serving",state="in_use"'),
  ).toBeGreaterThan(0);
  expect(value('repasse_pool_waiting{use="serving"')).toBe(0);
  expect(value("process_resident_memory_bytes{")).toBeGreaterThan(1_000_000);
  expect(value("nodejs_eventloop_lag_p99_seconds{")).toBeGreaterThanOrEqual(0);
  expect(lines).toContain('of_a_thread{part="worker"} 7');
});

test("beside the metrics the process says whether it serves, and first that it will not", async () => {
  const ask = async (path: string) => {
    const response = await fetch(metrics + path);
    return [response.status, (await response.json()).status];
  };
  expect(await ask("/healthz")).toEqual([200, "ok"]);
  expect(await ask("/readyz")).toEqual([200, "ready"]);
  isDraining = true;
  onTestFinished(() => {
    isDraining = false;
  });
  expect(await ask("/readyz")).toEqual([503, "draining"]);
  expect(await ask("/healthz")).toEqual([200, "ok"]);
  expect((await fetch(`${metrics}/other`)).status).toBe(404);
});

describe("what docs/monitoring asks for exists", () => {
  const FOLDER = "docs/monitoring";
  const files = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  const METRIC = /\b(repasse|process|nodejs)_[a-z0-9_]+/g;

  test.each(["dashboard.json", "alerts.yml"])(
    "every metric of %s is exported, and its loops and labels too",
    async (file) => {
      expect(files).toContain(file);
      const text = readFileSync(`${FOLDER}/${file}`, "utf8");
      const exported = new Set((await scrape()).filter((line) => line !== "" && !line.startsWith("#")).map(nameOf));
      const asked = [...new Set(text.match(METRIC) ?? [])];
      expect(asked.length).toBeGreaterThan(5);
      expect(asked.filter((name) => !exported.has(name))).toEqual([]);
      const workers = [...registry.loops, ...registry.attempts].map(({ name }) => name);
      const loops = [...text.matchAll(/loop="([^"]+)"/g)].map(([, name]) => name);
      expect(loops.filter((name) => !workers.includes(name ?? ""))).toEqual([]);
    },
  );

  test("each alert says what to do", () => {
    const alerts = readFileSync(`${FOLDER}/alerts.yml`, "utf8").split("- alert:").slice(1);
    expect(alerts.length).toBeGreaterThan(8);
    for (const alert of alerts) {
      expect(alert).toMatch(/^ \w+\n +expr: /);
      expect(alert).toMatch(/severity: (page|ticket)/);
      expect(alert).toMatch(/summary: .{20}/);
      expect(alert).toMatch(/action: .{30}/);
    }
  });
});
