import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { table } from "../figures.mjs";
import { differentAnswers } from "./records.mjs";

/** How soon jobs must go on after the server answers again. */
const RESUMED_WITHIN_MS = 10_000;

/** Prints what was done and found. Returns whether all is right. The details go to `details.json` in the folder. */
export function report({ folder, options, records, faults, found, ended, ends, receivers, hurried }) {
  const slow = faults.filter(({ downMs = 0, resumedMs = 0, inHandMs = 0 }) => {
    return Math.max(downMs, resumedMs, inHandMs) > RESUMED_WITHIN_MS;
  });
  const notUp = faults.filter(({ rescues = 0, notUp: message, gaveUp }) => rescues > 0 || message || gaveUp);
  const byForce = ended.filter((end) => end.byForce);
  const wrongs = {
    "faults that were not injected":
      options.faults + options.installs - faults.filter(({ isMissing }) => !isMissing).length,
    lost: found.lost.length,
    doubled: found.doubled.length,
    stuck: found.stuck.length,
    "wrong otherwise": found.wrong.length,
    "faults after which it did not come up by itself": notUp.length,
    [`faults after which work went on later than ${RESUMED_WITHIN_MS / 1000} s`]: slow.length,
    // In topology `one` the server may report that its database is gone, and end. PostgreSQL ends by a full disk.
    "programs that ended while they ran":
      options.topology === "one" ? 0 : ends.filter((end) => end.wasReady && end.role !== "database").length,
    "programs that did not end within a minute of SIGTERM": byForce.length,
  };
  console.log("\nFaults:");
  printFaults(faults);
  console.log("\nAcknowledged answers:");
  printAnswers(records);
  printReceived(receivers, hurried, found);
  console.log(
    `\nReconcile: ${found.isClean ? "clean" : "NOT clean"}. Programs that ended by themselves: ${endsOf(ends)}.\n`,
  );
  for (const [what, count] of Object.entries(wrongs)) console.log(`  ${String(count).padStart(5)}  ${what}`);
  const isRight = Object.values(wrongs).every((count) => count === 0);
  if (!isRight) {
    printFound(found);
    const file = join(folder, "details.json");
    writeFileSync(file, JSON.stringify({ options, wrongs, ...found, notUp, slow, ended, ends, faults }, null, 2));
    console.log(`\nDetails: ${file} (beside it what was asked, answered and received, and the programs' logs)`);
  }
  return isRight;
}

function printFaults(faults) {
  const kinds = [...new Set(faults.map(({ kind }) => kind))].sort();
  const rows = [...kinds.map((kind) => [kind, faults.filter((fault) => fault.kind === kind)]), ["all", faults]];
  table([
    ["kind", "faults", "not up", "down p50 s", "max", "webhook p50 s", "max", "in hand p50 s", "max"],
    ...rows.map(([kind, some]) => [
      kind,
      some.length,
      some.filter(({ rescues = 0, notUp, gaveUp }) => rescues > 0 || notUp || gaveUp).length,
      ...["downMs", "resumedMs", "inHandMs"].flatMap((name) => spread(some, name)),
    ]),
  ]);
}

/** How many of them ran, and how many were starting. */
const endsOf = (ends) => {
  const running = ends.filter(({ wasReady }) => wasReady).length;
  return `${running} that ran, ${ends.length - running} that were starting`;
};

/** Median and maximum, in seconds. */
function spread(faults, name) {
  const sorted = faults
    .map((fault) => fault[name])
    .filter((ms) => ms !== undefined)
    .sort((one, other) => one - other);
  if (sorted.length === 0) return ["", ""];
  const shown = (ms) => (ms === Infinity ? "never" : (ms / 1000).toFixed(1));
  return [shown(sorted[sorted.length >> 1]), shown(sorted.at(-1))];
}

function printAnswers({ intents, counts }) {
  const kinds = ["cash-in", "payment", "card"].flatMap((what) => [
    [`${what}, with a key`, (intent) => intent.what === what && intent.key],
    [`${what}, without`, (intent) => intent.what === what && !intent.key],
    ...(what === "payment" ? [] : [[`  of these with a split`, (intent) => intent.what === what && intent.split]]),
  ]);
  table([
    ["asked for", "requests", "acknowledged", "not known", "repeats", "keys with two answers"],
    ...kinds.map(([name, is]) => {
      const some = intents.filter(is);
      const answers = some.reduce((sum, intent) => sum + Math.max(0, intent.answers.length - 1), 0);
      const different = some.filter((intent) => intent.key && differentAnswers(intent).length > 1).length;
      return [
        name,
        some.length,
        some.filter(({ open }) => !open).length,
        some.filter(({ open }) => open).length,
      ].concat(answers, different);
    }),
  ]);
  const { unanswered, unavailable, inProgress, repeats } = counts;
  console.log(`  no answer ${unanswered}×, 503 ${unavailable}×, 409 in progress ${inProgress}×, repeats ${repeats}`);
}

function printReceived(receivers, { asked, resent }, found) {
  const line = ({ name, got }) => {
    const entries = [...got.values()];
    return `${name} ${entries.length} events in ${entries.reduce((sum, { count }) => sum + count, 0)} requests`;
  };
  const waiting = found.waiting.length;
  const all = [receivers.cash, receivers.event, receivers.probe].map(line).join(", ");
  console.log(
    `\nReceived: ${all}. Made due for the quiet minute: ${asked} charges, ${resent} deliveries. Not received yet: ${waiting}.`,
  );
}

/** What was found, by name, with an example of each. */
function printFound(found) {
  for (const kind of ["lost", "doubled", "stuck", "wrong"]) {
    for (const what of new Set(found[kind].map((fault) => fault.what))) {
      const some = found[kind].filter((fault) => fault.what === what);
      const [{ id, detail }] = some;
      console.log(
        `  ${kind}: ${what} ${some.length}×, as ${id}: ${String(detail).replaceAll("\n", " ").slice(0, 220)}`,
      );
    }
  }
}
