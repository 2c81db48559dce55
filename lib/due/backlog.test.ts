import { afterAll, beforeAll, expect, test } from "vitest";
import { transactionOverAll } from "@/lib/db";
import { requestDeposit } from "@/lib/deposits/request";
import { type Backlog, backlogOf, newBacklog } from "@/lib/due/backlog";
import { env } from "@/lib/env";
import { registry } from "@/lib/jobs/registry";
import { writeMails } from "@/lib/mail/write";
import { aMail } from "@/lib/testing/mails";
import { call, cashIn, fund, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";

/** What is due is counted over the whole database. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const workers = [...registry.loops, ...registry.attempts];
const asOwner = (text: string) => connected(ownerUrl(), (client) => client.query(text));
const read = async () => new Map((await newBacklog(workers)()).map((one): [string, Backlog] => [one.loop, one]));

test("everything that works on rows that are due says which, in the table that names it", () => {
  const withoutRows = [
    "deposits.poll",
    "withdrawals.poll",
    "accounts.free-storage",
    "retention.purge",
    "audit.link-past",
  ];
  expect(workers.filter(({ due = [] }) => due.length === 0).map(({ name }) => name)).toEqual(withoutRows);
});

test("what is due is found by indexes alone, also under row-level security", async () => {
  const plan = await connected(env.DATABASE_PROGRAM_URL, async (client) => {
    await client.query("set enable_seqscan = off; set enable_bitmapscan = off; set app.accounts = '*'");
    return client.query<{ "QUERY PLAN": string }>(`explain (costs off) ${backlogOf(workers)}`);
  });
  const lines = plan.rows.map((row) => row["QUERY PLAN"].trim());
  expect(lines.filter((line) => /Seq Scan/.test(line))).toEqual([]);
  // Each read ends by its limit or by an instant: none goes through all that is open.
  expect(lines.filter((line) => /Sort|Hash/.test(line))).toEqual([]);
});

test("each loop's rows are counted with the age of the oldest, and what is planned for later is not due", async () => {
  const { account, accountId } = await makeAccount();
  await fund(accountId, 100);
  for (let nth = 0; nth < 3; nth += 1) await requestDeposit(account, cashIn(), call());
  await transactionOverAll((query) => writeMails(query, [aMail()]));
  const { rows } = await asOwner("select id from transactions limit 1");
  await asOwner(`update transactions set expires_at = now() - interval '100 seconds' where id = '${rows[0].id}';
    insert into watches (provider, kind, id, ask_at)
    select 'simulator', 'payment', 'E' || n, now() - n * interval '10 seconds' from generate_series(-1, 5) n;
    insert into watches (provider, kind, id, ask_at) values ('simulator', 'mandate', 'M', now() - interval '7 seconds');
    insert into timed_jobs (name, due_at) values ('a', now() - interval '20 seconds'), ('b', now() + interval '1 hour')`);
  const found = await read();
  expect(found.size).toBe(workers.filter(({ due }) => due).length);
  const about = (loop: string) => [found.get(loop)?.rows, Math.round((found.get(loop)?.oldestSeconds ?? -1) / 5) * 5];
  expect(about("watches.ask")).toEqual([7, 50]);
  expect(about("deposits.expire-due")).toEqual([1, 100]);
  expect(about("events.consume")[0]).toBeGreaterThanOrEqual(3);
  expect(about("events.consume")[1]).toBe(0);
  expect(about("ledger.fold")).toEqual([2, 0]);
  expect(about("timetable")).toEqual([1, 20]);
  expect(about("mails")).toEqual([1, 0]);
  expect(about("deliveries")).toEqual([0, 0]);
});
