import { afterAll, beforeAll, expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { readOpenRefunds } from "@/lib/refunds/open";
import { listRefunds } from "@/lib/refunds/read";
import { codeOf } from "@/lib/refunds/record";
import { RefundQuery } from "@/lib/refunds/schema";
import { type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { rowsReadBy } from "@/lib/testing/plans";
import { RefundStatus } from "@/prisma/client/enums";

/** Refunds of sales that nobody paid, which reconcile() would report. */
let drop: () => Promise<void>;
let seller: Made;
/** The refunds, newest first: one of each status a day, from the 8th of May to the 1st, and 2,000 cancelled ones before. */
let known: { code: string; status: RefundStatus; sale: string; day: string }[];
const MANY = 2_000;
const statuses = Object.values(RefundStatus);
beforeAll(async () => {
  drop = await openOwnDatabase();
  seller = await makeAccount();
  const { accountId } = seller;
  const days = Array.from({ length: 8 }, (_, nth) => `2026-05-0${8 - nth}`);
  const wanted = days.flatMap((day) => statuses.map((status) => ({ day, status, sale: newId() })));
  const old = Array.from({ length: MANY }, () => ({
    day: "2026-04-01",
    status: "cancelled" as const,
    sale: wanted[0]?.sale ?? "",
  }));
  const made = [...wanted, ...old].map((one, nth) => {
    // Each a millisecond before the one above it, at the end of its day in Brasília.
    const createdAt = new Date(Date.parse(`${one.day}T23:59:59.999-03:00`) - nth);
    return { ...one, id: newId(createdAt), createdAt };
  });
  const amounts = { amount: 100, fee: 0 };
  const sale = { accountId, method: "pix", status: "failed", net: 100, ...amounts } as const;
  await forAccount(accountId, async (tx) => {
    const sales = wanted.map((one) => ({ ...sale, id: one.sale, createdAt: new Date(), updatedAt: new Date() }));
    await tx.transaction.createMany({ data: sales });
    const refund = { accountId, mode: "sandbox", reason: "other", pendingAmount: 0, ...amounts } as const;
    await tx.refund.createMany({
      data: made.map(({ id, sale: transactionId, status, createdAt }) => {
        return { ...refund, id, transactionId, status, createdAt, updatedAt: createdAt };
      }),
    });
  });
  await connected(ownerUrl(), (owner) => owner.query("analyze refunds"));
  known = made.map((one) => ({ ...one, code: codeOf(one) }));
});
afterAll(() => drop());

const list = (query: object) => listRefunds(seller.accountId, RefundQuery.parse({ per_page: 100, ...query }));
const codes = async (query: object) => (await list(query)).data.map(({ code }) => code);
const knownThat = (holds: (one: (typeof known)[number]) => boolean) => known.filter(holds).map(({ code }) => code);

test.each(statuses.filter((status) => status !== "cancelled"))(
  "has those of one status, newest first: %s",
  async (status) => {
    expect(await codes({ status })).toEqual(knownThat((one) => one.status === status));
    expect((await list({ status })).meta).toMatchObject({ total: 8, total_is_exact: true, next_cursor: null });
  },
);

test("has those that have not ended, those of a sale, and those of days, which are both included, or of instants", async () => {
  const open = ["pending", "approved", "processing"];
  expect(await codes({ status: "open" })).toEqual(knownThat(({ status }) => open.includes(status)));
  const { sale } = known[3] as (typeof known)[number];
  expect(await codes({ reference_id: sale })).toEqual(knownThat((one) => one.sale === sale));
  const days = { from: "2026-05-03", to: "2026-05-05" };
  const isThen = ({ day }: { day: string }) => days.from <= day && day <= days.to;
  expect(await codes(days)).toEqual(knownThat(isThen));
  expect(await codes({ ...days, status: "open" })).toEqual(
    knownThat((one) => isThen(one) && open.includes(one.status)),
  );
  const instants = { from: "2026-05-04T03:00:00Z", to: "2026-05-05T00:00:00-03:00" };
  expect(await codes(instants)).toEqual(knownThat(({ day }) => day === "2026-05-04"));
  expect(await codes({ from: "2026-05-09" })).toEqual([]);
  const { accountId } = await makeAccount();
  expect((await listRefunds(accountId, RefundQuery.parse({ status: "open" }))).data).toEqual([]);
});

test.each([{}, { status: "cancelled" }, { status: "open" }, { to: "2026-05-06" }])(
  "is continued by its cursor, and by pages, without a gap or a repetition (%o)",
  async (filter) => {
    const whole = await codes(filter);
    const paged: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null && paged.length < whole.length; ) {
      const page = await list({ ...filter, per_page: 7, ...(cursor && { cursor }) });
      paged.push(...page.data.map(({ code }) => code));
      cursor = page.meta.next_cursor;
    }
    expect(paged.slice(0, whole.length)).toEqual(whole);
    expect(await codes({ ...filter, per_page: 7, page: 2 })).toEqual(whole.slice(7, 14));
  },
);

test.each([
  ["pending", {}],
  ["open", {}],
  ["rejected", { to: "2026-05-05" }],
])("a page of one status reads its own alone, however many others there are (%s)", async (status, filter) => {
  const of = { accountId: seller.accountId, table: "refunds", part: "as record" };
  const read = await rowsReadBy(of, () => list({ status, ...filter }));
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(3 * 8 * 3); // each in its index and as a record
});

test("Home reads those that have not ended, and no other, to say what they hold", async () => {
  const { accountId } = seller;
  const read = () => forAccount(accountId, (tx) => readOpenRefunds(tx, accountId));
  expect(await read()).toEqual({ open: 24, pending: 8, held: 24 * 100 });
  expect(await rowsReadBy({ accountId, table: "refunds", part: "held_shares" }, read)).toBe(24);
});
