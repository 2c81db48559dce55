import { format } from "node:util";
import { hideLinks } from "@/lib/http/hide-link";
import { log } from "@/lib/log";
import { hideCardNumbers } from "@/lib/pan/detect";
import { realNow } from "@/lib/time/clock";

const MAX_LENGTH = 1_000;
/** Further lines within a second are only counted. */
const LINES_A_SECOND = 20;

/**
 * Writes what Next prints on the console as lines of our log: bounded, and without card numbers or links' secrets, because such a line may
 * quote what a caller sent. Returns a function that restores the console.
 */
export function logConsole(): () => void {
  const { error, warn } = console;
  let [second, lines] = [0, 0];

  const write = (level: "error" | "warn", given: unknown[]) => {
    const now = Math.floor(realNow().getTime() / 1000);
    if (now !== second) {
      if (lines > LINES_A_SECOND) log.warn({ dropped: lines - LINES_A_SECOND }, "console");
      [second, lines] = [now, 0];
    }
    lines += 1;
    if (lines > LINES_A_SECOND) return;
    const text = format(...given.map((part) => (part instanceof Error ? (part.stack ?? part.message) : part)));
    log[level]({ text: hideCardNumbers(hideLinks(text).slice(0, MAX_LENGTH)) }, "console");
  };

  console.error = (...given: unknown[]) => write("error", given);
  console.warn = (...given: unknown[]) => write("warn", given);
  return () => void Object.assign(console, { error, warn });
}

/** How many different notices are remembered. */
const MAX_NOTICES = 200;

/**
 * Writes Node's warnings, deprecations among them, as lines of our log, each once: Node would print them on the console,
 * where they pass for errors, and a thread's as lines that are no JSON. Returns a function that restores Node's own way.
 */
export function logWarnings(): () => void {
  const before = process.listeners("warning");
  const seen = new Set<string>();
  const write = ({ name, message, code }: Error & { code?: string }) => {
    const text = hideCardNumbers(hideLinks(message).slice(0, MAX_LENGTH));
    const notice = [name, code, text].join(" ");
    if (seen.has(notice) || seen.size >= MAX_NOTICES) return;
    seen.add(notice);
    log.warn({ name, code, text }, "node warns");
  };
  for (const listener of before) process.off("warning", listener);
  process.on("warning", write);
  return () => {
    process.off("warning", write);
    for (const listener of before) process.on("warning", listener);
  };
}
