import pg from "pg";
import { vi } from "vitest";
import { forAccount, readForStaff } from "@/lib/db";

/** How PostgreSQL reads a table in each statement that `run` sends for the staff: one text a statement. */
export async function plansOf(table: string, run: () => Promise<unknown>): Promise<string[]> {
  const about = (await sentBy(run)).filter(({ text }) => text?.includes(`"${table}" WHERE`));
  return readForStaff(async (tx) => {
    const plans: string[] = [];
    for (const { text, values } of about) {
      const lines = await tx.$queryRawUnsafe<{ "QUERY PLAN": string }[]>(`explain ${text}`, ...values);
      plans.push(lines.map((line) => line["QUERY PLAN"]).join("\n"));
    }
    return plans;
  });
}

type Node = { "Relation Name"?: string; "Actual Rows": number; "Actual Loops": number; Plans?: Node[] };
type Removed = { "Rows Removed by Filter"?: number };

/** How many rows of a table the statement that has this part reads, of those that `run` sends for an account. */
export async function rowsReadBy(of: { accountId: string; table: string; part: string }, run: () => Promise<unknown>) {
  const { accountId, table, part } = of;
  const statement = (await sentBy(run)).find(({ text }) => text?.includes(part));
  const explain = `explain (analyze, format json) ${statement?.text}`;
  const [row] = await forAccount(accountId, (tx) =>
    tx.$queryRawUnsafe<{ "QUERY PLAN": [{ Plan: Node }] }[]>(explain, ...(statement?.values ?? [])),
  );
  const readBy = (node: Node & Removed): number =>
    (node["Relation Name"] === table
      ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]
      : 0) + (node.Plans ?? []).reduce((sum, plan) => sum + readBy(plan), 0);
  return row ? readBy(row["QUERY PLAN"][0].Plan) : Number.NaN;
}

/** The statements that `run` sends. */
async function sentBy(run: () => Promise<unknown>) {
  const spy = vi.spyOn(pg.Client.prototype, "query");
  await run();
  const sent = spy.mock.calls.map(([statement]) => statement as unknown as { text?: string; values: unknown[] });
  spy.mockRestore();
  return sent;
}
