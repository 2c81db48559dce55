import { appendFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The run's own account: every intent of a caller and every answer that it was given, in memory and, a JSON line each,
 * in `answers.jsonl`; what the receivers got in `received.jsonl`.
 *
 * An intent is one thing that a caller wants once: `{ref, what, key, path, body, token, amount, answers, open}`. Its
 * `answers` are those that settle it; `open` says that there is none yet and that the caller does not know.
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
    /** Notes one answer to an intent, or that there was none. Returns whether it settles the intent. */
    note(intent, { status, text, error }) {
      const { ref } = intent;
      write("answers.jsonl", { ref, status, text, error });
      const kind = kindOf(status, text);
      if (kind === "settled") {
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
      return kind === "settled" || (kind === "surprise" && status < 500);
    },
    received: (line) => write("received.jsonl", line),
    noteFault: (line) => write("faults.jsonl", line),
  };
}

/** Whether an answer settles what was asked for. A 503 says: again later; but a charge that was not made has ended. */
function kindOf(status, text) {
  if (status === undefined) return "unanswered";
  if (status === 200 || status === 201 || status === 402) return "settled";
  const { error } = parsed(text);
  if (status === 503) return error === "charge_not_made" ? "settled" : "unavailable";
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

/** The different answers that an intent was given: more than one is one too many. */
export const differentAnswers = ({ answers }) => [...new Set(answers.map(({ status, text }) => `${status} ${text}`))];
