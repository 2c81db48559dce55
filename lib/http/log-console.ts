import { format } from "node:util";
import { hideLinks } from "@/lib/http/hide-link";
import { log } from "@/lib/log";
import { hideCardNumbers } from "@/lib/pan/detect";

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
    const now = Math.floor(Date.now() / 1000);
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
