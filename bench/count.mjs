// Loaded with --import into every program under test. It counts what is sent to PostgreSQL and samples memory and the event loop.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { BroadcastChannel, isMainThread } from "node:worker_threads";
import pg from "pg";

const SAMPLE_MS = 200;
/** How often the event loop's delay is looked at. It counts as delay itself. */
const LOOK_MS = 20;
const NANOSECONDS_PER_MS = 1e6;
/** How often a thread reports what it has sent. */
const REPORT_MS = 20;

const counts = new Map();
let sent = 0;
let peak = 0;
let cpu = process.cpuUsage();
const delay = monitorEventLoopDelay({ resolution: LOOK_MS });
let sampler;
const threads = new BroadcastChannel("count");
threads.unref();
if (isMainThread) {
  watch();
  threads.onmessage = ({ data }) => add(data.counts, data.sent);
}

function add(more, moreSent) {
  for (const [name, count] of more) counts.set(name, (counts.get(name) ?? 0) + count);
  sent += moreSent;
}

/** Tells the main thread what this one has sent. */
function report() {
  threads.postMessage({ counts: [...counts], sent });
  counts.clear();
  sent = 0;
}

/** Samples memory and the event loop. An idle program is measured without, because it would do nothing else. */
function watch() {
  delay.enable();
  sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, SAMPLE_MS).unref();
}

function rest() {
  delay.disable();
  clearInterval(sampler);
}

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function counted(config, ...rest) {
  const text = typeof config === "string" ? config : (config?.text ?? "");
  const name = config?.name ?? text.trim().split(/\s+/, 3).join(" ").toLowerCase();
  if (!isMainThread && sent === 0) setTimeout(report, REPORT_MS).unref();
  add([[name, 1]], statementsIn(config, text));
  return query.call(this, config, ...rest);
};

/** Only a text without a name and values may hold several statements. */
function statementsIn(config, text) {
  if (config?.name || config?.values?.length > 0) return 1;
  return Math.max(1, text.split(";").filter((part) => part.trim()).length);
}

const beyond = (nanoseconds) => Math.max(0, nanoseconds / NANOSECONDS_PER_MS - LOOK_MS);

/**
 * Answers with what happened since the last question: round trips by the statement's name (`statements`), how many
 * statements they held (`sent`), CPU time in ms, the peak memory in bytes (`resident` is the memory now), and the delay
 * of the event loop in ms.
 */
process.on("message", (message) => {
  if (message === "rest") return rest();
  if (message === "watch") return watch();
  const { user, system } = process.cpuUsage(cpu);
  process.send({
    kind: "figures",
    statements: Object.fromEntries(counts),
    sent,
    rss: peak,
    resident: process.memoryUsage.rss(),
    cpuMs: (user + system) / 1000,
    delayMs: { p99: beyond(delay.percentile(99)), max: beyond(delay.max) },
  });
  cpu = process.cpuUsage();
  counts.clear();
  sent = 0;
  peak = 0;
  delay.reset();
});

// No program under test outlives the run.
process.on("disconnect", () => process.exit());
