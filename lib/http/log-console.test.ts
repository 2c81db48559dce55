import { expect, onTestFinished, test, vi } from "vitest";
import { logConsole } from "@/lib/http/log-console";
import { newSecret } from "@/lib/ids";
import { log } from "@/lib/log";

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
