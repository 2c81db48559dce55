import { afterAll, beforeAll, expect, test } from "vitest";
import { exportAudit, listAudit } from "@/lib/audit-log/read";
import { type AuditFilter, AuditQuery } from "@/lib/audit-log/schema";
import { prisma } from "@/lib/db";
import { COUNTED } from "@/lib/lists/pagination";
import { type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { rowsReadBy } from "@/lib/testing/plans";

let drop: () => Promise<void>;
let seller: Made;
let userId: string;
beforeAll(async () => {
  drop = await openOwnDatabase();
  seller = await makeAccount();
  ({ userId } = await prisma().membership.findFirstOrThrow({ where: { sandboxId: seller.accountId } }));
  await happen(2, "transaction", { kind: "visitor" });
  await happen(2, "adjustment", { kind: "staff" });
  await happen(2, "product", { kind: "person", id: userId });
  await happen(13_000, "transaction", { kind: "credential", id: seller.clientId });
  await happen(40_000, "product", { kind: "person" });
  await connected(ownerUrl(), (owner) => owner.query("analyze events"));
}, 60_000);
afterAll(() => drop());

/** By the owner, whose statements may take as long as they need. */
const happen = (count: number, subject: string, actor: object) =>
  connected(ownerUrl(), async (owner) => {
    await owner.query("select set_config('app.accounts', $1, false)", [seller.accountId]);
    await owner.query(HAPPENED, [seller.accountId, `${subject}.updated`, subject, actor, count]);
  });

const HAPPENED = `insert into events (account_id, id, type, subject, subject_id, data, record, actor, occurred_at)
  select $1::uuid, new_id(), $2, $3, new_id(), '{}', '{}', $4::jsonb, now() from generate_series(1, $5::int)`;

const list = (filter: object) => listAudit(seller.account, AuditQuery.parse({ per_page: 100, ...filter }));

/** What is read at most for a page: as many as are counted, the page itself, and the one after it. */
const MOST = COUNTED + 101;

test.each([
  ["what visitors did", 2, () => ({ by: "visitor" })],
  ["sales by visitors", 2, () => ({ by: "visitor", subject: "transaction" })],
  ["what the staff did among what people did", 2, () => ({ by: "staff" })],
  ["what one person did among what people did", 2, () => ({ person: userId })],
  ["what nobody did to products", 0, () => ({ by: "payer", subject: "product" })],
  ["what was done to adjustments", 2, () => ({ subject: "adjustment" })],
])("a page of %s reads a bounded number of events, and the last one is reached", async (_, count, filter) => {
  const of = { accountId: seller.accountId, table: "events" };
  for (const part of ['as "isIntact"', "as scanned", "offset 10"]) {
    const read = await rowsReadBy({ ...of, part }, () => list(filter()));
    if (part !== "offset 10") expect(read, part).toBeGreaterThan(0);
    expect(read, part).toBeLessThanOrEqual(MOST);
  }
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const { data, meta } = await list({ ...filter(), ...(cursor && { cursor }) });
    found.push(...data.map(({ id }) => id));
    cursor = meta.next_cursor;
  } while (cursor);
  expect(new Set(found).size).toBe(count);
  expect(found).toHaveLength(count);
  let inFile = 0;
  for await (const entries of exportAudit(seller.account, filter() as AuditFilter)) inFile += entries.length;
  expect(inFile).toBe(count);
});

test("a total that was not counted to its end says so", async () => {
  const totals = async (filter: object) => {
    const { meta } = await list(filter);
    return [meta.total, meta.total_is_exact];
  };
  expect(await totals({ by: "visitor" })).toEqual([0, false]);
  expect(await totals({ subject: "adjustment" })).toEqual([2, true]);
  expect(await totals({ by: "credential", to: new Date(0).toISOString() })).toEqual([0, true]);
  expect(await totals({})).toEqual([COUNTED, false]);
});
