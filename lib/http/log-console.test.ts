import { expect, onTestFinished, test, vi } from "vitest";
import { logConsole } from "@/lib/http/log-console";
import { newSecret } from "@/lib/ids";
import { log } from "@/lib/log";
import { startProgram } from "@/lib/testing/program";

const SECRET = newSecret();

test("console output becomes lines of our log: short, without card numbers and links' secrets, and at most twenty a second", () => {
  const lines: string[] = [];
  const spies = (["error", "warn"] as const).map((level) =>
    vi.spyOn(log, level).mockImplementation((given: unknown) => void lines.push(JSON.stringify(given))),
  );
  const now = vi.spyOn(Date, "now").mockReturnValue(1_000_000);
  const putBack = logConsole();
  onTestFinished(() => {
    putBack();
    for (const spy of [...spies, now]) spy.mockRestore();
  });
  console.error("⨯ Invalid URL /a?card=4111 1111 1111 1111", new Error("4111111111111111"));
  console.warn("x".repeat(100_000));
  console.error(`⨯ /confirm/${SECRET} and /${"x".repeat(940)}/reset/${SECRET}`);
  expect(lines.join()).not.toMatch(/4111/);
  expect(lines[0]).toContain("Invalid URL /a?card=…");
  expect(lines[1]?.length).toBeLessThan(1_100);
  expect(lines[2]).toContain("⨯ /confirm/… and");
  expect(lines[2]).not.toContain(SECRET.slice(0, 4));
  for (let nth = 0; nth < 1_000; nth += 1) console.error(nth);
  expect(lines).toHaveLength(20);
  now.mockReturnValue(1_001_000);
  console.error("later");
  expect(lines.slice(20)).toEqual(['{"dropped":983}', '{"text":"later"}']);
});

test("a notice of Node's, such as a deprecation, is one line that warns, once, in the process and in its threads", async () => {
  const program = await startProgram(
    `
    import { isMainThread, Worker } from "node:worker_threads";
    import { logConsole, logWarnings } from "@/lib/http/log-console";
    const putBack = [logConsole(), logWarnings()];
    const where = isMainThread ? "process" : "thread";
    for (const nth of [1, 2]) process.emitWarning("client.query() of the " + where, "DeprecationWarning", "DEP0001");
    process.emitWarning("card 4111 1111 1111 1111 of the " + where);
    process.on("warning", () => {}); // others may listen too
    setImmediate(async () => {
      if (!isMainThread) return;
      await new Promise((ended) => new Worker(new URL(import.meta.url), { env: process.env }).once("exit", ended));
      for (const put of putBack) put();
      console.log("ended");
    });
  `,
    { LOG_LEVEL: "info" },
  );
  await program.says("ended");
  const lines = program
    .printed()
    .split("\n")
    .filter((line) => line !== "" && line !== "ended");
  const WARN = 40;
  const notices = ["process", "thread"].flatMap((where) => [
    {
      level: WARN,
      name: "DeprecationWarning",
      code: "DEP0001",
      text: `client.query() of the ${where}`,
      msg: "node warns",
    },
    { level: WARN, name: "Warning", text: `card … of the ${where}`, msg: "node warns" },
  ]);
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    notices.map((notice) => ({ ...notice, time: expect.any(String) })),
  );
});
