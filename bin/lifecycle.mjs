import { describe } from "./faults.mjs";
import { complain } from "./say.mjs";

/** One Ctrl-C can arrive twice, from the terminal and from npm; a second one this much later is meant. */
const SAME_SIGNAL_MS = 500;

/** What does not end in this time is left as it is, so that a stop has an end. */
const STEP_WITHIN_MS = 9_500;

const steps = [];
let stopping;

/** An error whose message is all that a person needs: it is shown without a stack. */
export function sentence(text) {
  return Object.assign(new Error(text), { plain: true });
}

/**
 * Remembers how to undo what was just started; the newest is undone first, each for at most `withinMs`.
 *
 * Returns a function that undoes this one step now. Throws when everything is being undone already.
 */
export function onStop(step, withinMs = STEP_WITHIN_MS) {
  if (stopping) throw sentence("Interrupted.");
  const entry = { step, withinMs };
  steps.push(entry);
  return async () => {
    const index = steps.indexOf(entry);
    if (index >= 0) steps.splice(index, 1);
    await step();
  };
}

/** Undoes everything, newest first. One failing step does not keep the others from running. */
export function stopAll() {
  stopping ??= (async () => {
    while (steps.length > 0) await attempt(steps.pop());
  })();
  return stopping;
}

/** Whether a signal came, so that failures that follow from it are no news. */
export function isStopping() {
  return stopping !== undefined;
}

/** The first SIGINT or SIGTERM stops in good order and exits with `exitCode`; another one exits at once. */
export function stopOnSignals(exitCode) {
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

/** Stops everything because of an error that nobody can wait for, and exits with 1. */
export function giveUp(error) {
  if (stopping) return;
  complain(describe(error));
  process.exitCode = 1;
  stopAll().then(() => process.exit());
}

async function attempt({ step, withinMs }) {
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(
      () => fail(sentence(`A step of stopping took more than ${withinMs / 1000} s and was left.`)),
      withinMs,
    );
  });
  try {
    await Promise.race([step(), late]);
  } catch (error) {
    complain(describe(error));
    process.exitCode = 1;
  } finally {
    clearTimeout(timer);
  }
}
