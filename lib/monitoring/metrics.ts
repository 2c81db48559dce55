import { isMainThread } from "node:worker_threads";
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { answeredWithin } from "@/lib/concurrency/time-limit";
import { openPools } from "@/lib/db";
import { clockSkewMs } from "@/lib/time/clock-skew";

/** Which part of the program a figure is of; under `npm start` one process has both. */
export type Part = "web" | "worker";

/** Figures that are read when they are asked for, by the label that tells them apart. */
export type Reads = {
  backlog(): Promise<readonly { loop: string; rows: number; oldestSeconds: number }[]>;
  totals(): Promise<readonly { mode: string; kind: string; amount: number }[]>;
  differences(): Promise<
    readonly { provider: string; open: number; comparedSeconds: number | null; lookedSeconds: number }[]
  >;
  certificates(): readonly { provider: string; seconds: number }[];
};

/** A scrape has other figures too, so it does not wait longer for the database. */
const READ_WITHIN_MS = 3_000;

/** Seconds. */
const ANSWERS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const PROVIDERS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 8];

/** Pages and API are two bundles in one process, so the figures are kept on the global object, as the pools are. */
const shared = globalThis as typeof globalThis & { repasseMetrics?: ReturnType<typeof make> };

/** Begins to count in this process or thread. Before that, and where METRICS_PORT is unset, nothing is counted. */
export const startCounting = (part: Part, reads?: Reads) => {
  shared.repasseMetrics ??= make(part, reads);
};

export const isCounting = () => shared.repasseMetrics !== undefined;

/** An answer of ours. `route` is a pattern and never a path: paths have no end, and may hold what people sent. */
export const countAnswer = (labels: { method: string; route: string; status: string }, ms: number) =>
  shared.repasseMetrics?.answers.observe(labels, ms / 1000);

/** What became of a request to a provider. */
export type Outcome = "answered" | "refused" | "failed" | "unreached" | "no_answer";

export const countCall = (labels: { provider: string; kind: string; outcome: Outcome }, ms: number) =>
  shared.repasseMetrics?.calls.observe(labels, ms / 1000);

/** The figures of one process or thread, as they can be sent to another. */
export type Figures = object[];

export const readFigures = async (): Promise<Figures> =>
  (await shared.repasseMetrics?.registry.getMetricsAsJSON()) ?? [];

/** The text that Prometheus reads, of the figures of all threads of a process. */
export const textOf = (figures: readonly Figures[]): Promise<string> =>
  AggregatorRegistry.aggregate([...figures]).metrics();

export const CONTENT_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

function make(part: Part, reads?: Reads) {
  const registry = new Registry();
  registry.setDefaultLabels({ part });
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  if (!isMainThread) {
    // What is the process's own is counted once.
    for (const { name } of registry.getMetricsAsArray())
      if (name.startsWith("process_")) registry.removeSingleMetric(name);
  }
  const calls = new Histogram({
    name: "repasse_provider_request_duration_seconds",
    help: "Requests to Pix and card providers, until their answer or its absence.",
    labelNames: ["provider", "kind", "outcome"],
    buckets: PROVIDERS,
    registers,
  });
  const answers = new Histogram({
    name: "repasse_http_request_duration_seconds",
    help: "Requests answered, by the route's pattern. Status is aborted where the client went away first.",
    labelNames: ["method", "route", "status"],
    buckets: ANSWERS,
    registers,
  });
  gauge("repasse_pool_connections", "Connections to the database.", ["use", "state"], (set) => {
    for (const { use, open, idle } of openPools()) {
      set({ use, state: "in_use" }, open - idle);
      set({ use, state: "idle" }, idle);
    }
  });
  gauge("repasse_pool_connections_max", "How many connections there may be.", ["use"], (set) => {
    for (const { use, max } of openPools()) set({ use }, max);
  });
  gauge("repasse_pool_waiting", "Who waits for a connection.", ["use"], (set) => {
    for (const { use, waiting } of openPools()) set({ use }, waiting);
  });
  if (reads) addReads(reads);
  return { registry, calls, answers };

  /** Figures that one part of a process gives for all its parts: of the database, and of the process's clock. */
  function addReads({ backlog, totals, differences, certificates }: Reads) {
    const failed = new Set<string>();
    /** Resolves to undefined where it failed, and what it reads is then absent. */
    const tried = <T>(read: string, run: () => Promise<T>): Promise<T | undefined> =>
      answeredWithin(READ_WITHIN_MS, run()).then(
        (result) => {
          failed.delete(read);
          return result;
        },
        () => void failed.add(read),
      );
    gauge("repasse_clock_skew_seconds", "How far the process's clock is ahead of the database's.", [], (set) => {
      const ms = clockSkewMs();
      if (ms !== undefined) set({}, ms / 1000);
    });
    const ends = "repasse_provider_certificate_ends_seconds";
    gauge(ends, "Until the certificate ends with which a provider is reached.", ["provider"], (set) => {
      for (const { provider, seconds } of certificates()) set({ provider }, seconds);
    });
    const open = "repasse_provider_differences";
    gauge(open, "Open differences between a PSP and what we have.", ["provider"], async (set) => {
      for (const { provider, open } of (await tried("differences", differences)) ?? []) set({ provider }, open);
    });
    const age = "repasse_provider_compared_seconds";
    gauge(age, "Up to how long ago a PSP was compared with what we have.", ["provider"], async (set) => {
      for (const { provider, comparedSeconds } of (await tried("differences", differences)) ?? [])
        if (comparedSeconds !== null) set({ provider }, comparedSeconds);
    });
    const looked = "repasse_provider_looked_seconds";
    gauge(looked, "How long ago a PSP's list of payments was last read.", ["provider"], async (set) => {
      for (const { provider, lookedSeconds } of (await tried("differences", differences)) ?? [])
        set({ provider }, lookedSeconds);
    });
    gauge("repasse_due_rows", "Rows that are due, by the loop that works on them.", ["loop"], async (set) => {
      for (const { loop, rows } of (await tried("backlog", backlog)) ?? []) set({ loop }, rows);
    });
    gauge("repasse_due_oldest_seconds", "How long the oldest row has been due.", ["loop"], async (set) => {
      for (const { loop, oldestSeconds } of (await tried("backlog", backlog)) ?? []) set({ loop }, oldestSeconds);
    });
    gauge("repasse_ledger_total_cents", "What all accounts of a kind hold.", ["mode", "kind"], async (set) => {
      for (const { mode, kind, amount } of (await tried("ledger", totals)) ?? []) set({ mode, kind }, amount);
    });
    gauge("repasse_ledger_sum_cents", "What the whole ledger of a mode sums to: zero.", ["mode"], async (set) => {
      const sums = new Map<string, number>();
      for (const { mode, amount } of (await tried("ledger", totals)) ?? [])
        sums.set(mode, (sums.get(mode) ?? 0) + amount);
      for (const [mode, amount] of sums) set({ mode }, amount);
    });
    gauge("repasse_read_failed", "1 where figures could not be read from the database.", ["read"], async (set) => {
      await Promise.all([tried("backlog", backlog), tried("ledger", totals), tried("differences", differences)]);
      for (const read of ["backlog", "ledger", "differences"]) set({ read }, failed.has(read) ? 1 : 0);
    });
  }

  /** A figure that is set anew at each reading. */
  function gauge(name: string, help: string, labelNames: string[], read: (set: SetValue) => void | Promise<void>) {
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        const values: [Record<string, string>, number][] = [];
        await read((labels, value) => void values.push([labels, value]));
        this.reset();
        if (labelNames.length === 0) this.remove(); // no figure is another thing than zero
        for (const [labels, value] of values) this.set(labels, value);
      },
    });
  }
}

type SetValue = (labels: Record<string, string>, value: number) => void;
