import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import type { Program } from "@/lib/testing/program";

/** Lines for a program's source: at SIGUSR2 it writes a snapshot of its heap after a collection, with whole strings. */
export const WRITES_HEAP = `import { renameSync } from "node:fs";
  import { setFlagsFromString, writeHeapSnapshot } from "node:v8";
  setFlagsFromString("--heap-snapshot-string-limit=100000000");
  process.on("SIGUSR2", () => {
    new Error().stack; // V8 notes where lines end, and does not count them for each function of the snapshot
    const file = process.env.HEAP_FILES + process.pid;
    renameSync(writeHeapSnapshot(file + ".part"), file);
  });`;

/** The path at which such a program writes: a setting for `startProgram`. */
export const HEAP_FILES = join(tmpdir(), "repasse-heap-");

/**
 * The strings in the heap of a program with these lines, as JSON. The content of Buffers is outside the heap and not
 * among them. The file is removed.
 */
export async function heapOf({ child }: Program): Promise<Buffer> {
  const file = `${HEAP_FILES}${child.pid}`;
  const remove = () => {
    for (const name of [file, `${file}.part`]) rmSync(name, { force: true });
  };
  onTestFinished(remove);
  child.kill("SIGUSR2");
  await vi.waitFor(() => expect(existsSync(file)).toBe(true), { timeout: 60_000, interval: 100 });
  const heap = readFileSync(file);
  remove();
  return heap.subarray(heap.lastIndexOf('"strings":['));
}
