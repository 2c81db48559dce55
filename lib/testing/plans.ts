import pg from "pg";
import { vi } from "vitest";
import { readForStaff } from "@/lib/db";

/** How PostgreSQL reads a table in each statement that `run` sends for the staff: one text a statement. */
export async function plansOf(table: string, run: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(pg.Client.prototype, "query");
  await run();
  const sent = spy.mock.calls.map(([statement]) => statement as unknown as { text?: string; values: unknown[] });
  spy.mockRestore();
  const about = sent.filter(({ text }) => text?.includes(`"${table}" WHERE`));
  return readForStaff(async (tx) => {
    const plans: string[] = [];
    for (const { text, values } of about) {
      const lines = await tx.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(`explain ${text}`, ...values);
      plans.push(lines.map((line) => line["QUERY PLAN"]).join("\n"));
    }
    return plans;
  });
}
