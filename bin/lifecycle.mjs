import { describe } from "./faults.mjs";
import { printError } from "./progress.mjs";

/** The exit code that shells report for a program that Ctrl-C ended. */
export const INTERRUPTED = 130;
/** One Ctrl-C can arrive twice, from the terminal and from npm. A second signal after this time is a second Ctrl-C. */
const SAME_SIGNAL_MS = 500;
/** A step that does not end in this time is abandoned, so that a stop has an end. */
const STEP_WITHIN_MS = 9_500;

/** @typedef {() => unknown} Undo */
/** @typedef {{ undo: Undo, withinMs: number }} Step */

/** @type {Step[]} */
const steps = [];
/** @type {Promise<void> | undefined} */
let stopping;

/**
 * An error whose message is all that a person needs: it is shown without a stack.
 *
 * @param {string} text
 */
export function plainError(text) {
  return Object.assign(new Error(text), { plain: true });
}

/** The error of work that goes on after a stop began. */
export function interrupted() {
  return plainError("Interrupted.");
}

/**
 * Registers how to undo what was just started. A stop undoes the newest first. Throws when a stop has begun.
 *
 * @param {Undo} undo
 * @param {number} [withinMs] How long a stop waits for it.
 * @returns {() => Promise<void>} Undoes this one step now.
 */
export function onStop(undo, withinMs = STEP_WITHIN_MS) {
  if (stopping) throw interrupted();
  const entry = { undo, withinMs };
  steps.push(entry);
  return async () => {
    const index = steps.indexOf(entry);
    if (index >= 0) steps.splice(index, 1);
    await undo();
  };
}

/** Undoes everything, newest first. A failing step does not keep the others from running. */
export function stopAll() {
  stopping ??= (async () => {
    for (let entry = steps.pop(); entry; entry = steps.pop()) await attempt(entry);
  })();
  return stopping;
}

/** Whether a stop has begun: failures that follow from it need no report. */
export function isStopping() {
  return stopping !== undefined;
}

/**
 * The first SIGINT or SIGTERM stops in good order and exits with `exitCode`. Another one exits at once.
 *
 * @param {number} exitCode
 */
export function stopOnSignals(exitCode) {
  /** @type {number | undefined} */
  let firstAt;
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {
      if (firstAt === undefined) {
        firstAt = performance.now();
        stopAll().then(() => process.exit(process.exitCode || exitCode));
      } else if (performance.now() - firstAt > SAME_SIGNAL_MS) {
        process.exit(1);
      }
    });
  }
}

/**
 * Stops everything because of an error that no caller waits for, and exits with 1.
 *
 * @param {unknown} error
 */
export function giveUp(error) {
  if (stopping) return;
  printError(describe(error));
  process.exitCode = 1;
  stopAll().then(() => process.exit());
}

/** @param {Step} step */
async function attempt({ undo, withinMs }) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const timeout = new Promise((_, fail) => {
    timer = setTimeout(
      () => fail(plainError(`A step of stopping took more than ${withinMs / 1000} s and was abandoned.`)),
      withinMs,
    );
  });
  try {
    await Promise.race([undo(), timeout]);
  } catch (error) {
    printError(describe(error));
    process.exitCode = 1;
  } finally {
    clearTimeout(timer);
  }
}
