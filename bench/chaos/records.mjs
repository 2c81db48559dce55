import { appendFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The run's records: every intent of a caller and every answer to it, in memory and as JSON lines in `answers.jsonl`.
 * What the receivers got is in `received.jsonl`.
 *
 * An intent is one thing that a caller wants once: `{ref, what, key, path, body, token, amount, answers, open}`. Its
 * `answers` are the final ones. It is `open` until the first of them, and then the caller knows no outcome.
 */
export function openRecords(folder) {
  const write = (file, line) => appendFileSync(join(folder, file), `${JSON.stringify({ at: Date.now(), ...line })}\n`);
  const intents = [];
  const surprises = [];
  const counts = { unanswered: 0, unavailable: 0, inProgress: 0, repeats: 0 };
  return {
    intents,
    surprises,
    counts,
    begin(intent) {
      const { ref, what, key, amount } = intent;
      const begun = { ...intent, answers: [], open: true, at: Date.now() };
      intents.push(begun);
      write("answers.jsonl", { ref, what, key, amount, sent: true });
      return begun;
    },
    /** Records one answer to an intent, or that there was none. Returns whether the answer is final. */
    note(intent, { status, text, error }) {
      const { ref } = intent;
      write("answers.jsonl", { ref, status, text, error });
      const kind = kindOf(status, text);
      if (kind === "final") {
        if (intent.answers.length > 0) counts.repeats += 1;
        else intent.answeredAt = Date.now();
        intent.answers.push({ status, text });
        intent.open = false;
      } else if (kind === "surprise") {
        intent.isRefused = status < 500;
        surprises.push({ ref, what: intent.what, status, text: text.slice(0, 300) });
      } else {
        counts[kind] += 1;
      }
      return kind === "final" || (kind === "surprise" && status < 500);
    },
    received: (line) => write("received.jsonl", line),
    noteFault: (line) => write("faults.jsonl", line),
  };
}

/** Whether an answer is final. A 503 asks for a repeat, except when a charge was not made. */
function kindOf(status, text) {
  if (status === undefined) return "unanswered";
  if (status === 200 || status === 201 || status === 402) return "final";
  const { error } = parsed(text);
  if (status === 503) return error === "charge_not_made" ? "final" : "unavailable";
  if (status === 409 && error === "idempotency_in_progress") return "inProgress";
  return "surprise";
}

export function parsed(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

/** The different answers to an intent, of which there should be one. */
export const differentAnswers = ({ answers }) => [...new Set(answers.map(({ status, text }) => `${status} ${text}`))];
