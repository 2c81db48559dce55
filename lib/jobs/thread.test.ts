import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepThread } from "@/lib/jobs/thread";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "repasse-thread-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A thread that writes down each start, and fails when it is told to, or at once. */
function aThread(failsAtOnce = false) {
  const [file, starts] = [join(folder, "thread.mjs"), join(folder, "starts")];
  writeFileSync(starts, "");
  writeFileSync(
    file,
    `import { appendFileSync } from "node:fs";
    import { parentPort } from "node:worker_threads";
    appendFileSync(${JSON.stringify(starts)}, "started\\n");
    if (${failsAtOnce}) throw new Error("broken");
    parentPort.on("message", ({ stop, asked, to }) => {
      if (stop) process.exit();
      if (asked) return to.postMessage({ answered: asked });
      throw new Error("broken");
    });
    parentPort.postMessage("running");`,
  );
  return { file: pathToFileURL(file), starts: () => readFileSync(starts, "utf8").split("\n").length - 1 };
}

test("a thread that a fault ends is started again, as often as it fails, until it is stopped", async () => {
  const { file, starts } = aThread();
  const thread = await keepThread(file, {});
  for (const times of [2, 3]) {
    thread.send({ fail: true });
    await vi.waitFor(() => expect(starts()).toBe(times), { timeout: 10_000 });
  }
  await thread.stop();
  expect(starts()).toBe(3);
});

test("a thread that has failed is stopped without waiting for another", async () => {
  const { file, starts } = aThread();
  const thread = await keepThread(file, {});
  thread.send({ fail: true });
  await thread.stop();
  expect(starts()).toBe(1);
});

test("a thread is asked, each question gets its own answer, and one that failed gives none", async () => {
  const { file } = aThread();
  const thread = await keepThread(file, {});
  const answers = await Promise.all([1, 2, 3].map((asked) => thread.ask({ asked })));
  expect(answers).toEqual([{ answered: 1 }, { answered: 2 }, { answered: 3 }]);
  thread.send({ fail: true });
  expect(await thread.ask({ asked: 4 })).toBeUndefined();
  await thread.stop();
});

test("a thread that cannot start at all says why", async () => {
  await expect(keepThread(aThread(true).file, {})).rejects.toThrow("broken");
});
