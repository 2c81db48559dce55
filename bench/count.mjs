// Loaded with --import into every program under test. It counts the statements to PostgreSQL and samples the memory.
import pg from "pg";

const SAMPLE_MS = 200;

const counts = new Map();
let peak = 0;
let cpu = process.cpuUsage();

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function counted(config, ...rest) {
  const text = typeof config === "string" ? config : (config?.text ?? "");
  const name = config?.name ?? text.trim().split(/\s+/, 3).join(" ").toLowerCase();
  counts.set(name, (counts.get(name) ?? 0) + 1);
  return query.call(this, config, ...rest);
};

setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, SAMPLE_MS).unref();

/** Answers with statements by name, CPU time in ms and the peak memory in bytes, all since the last question. */
process.on("message", (message) => {
  if (message !== "figures") return;
  const { user, system } = process.cpuUsage(cpu);
  process.send({ kind: "figures", statements: Object.fromEntries(counts), rss: peak, cpuMs: (user + system) / 1000 });
  cpu = process.cpuUsage();
  counts.clear();
  peak = 0;
});

// No program under test outlives the run.
process.on("disconnect", () => process.exit());
