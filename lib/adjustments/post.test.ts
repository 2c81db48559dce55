import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actAs } from "@/lib/actor";
import { postAdjustment } from "@/lib/adjustments/post";
import { AdjustmentBody } from "@/lib/adjustments/schema";
import { asSystem, forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { platforms } from "@/lib/ledger/chart";
import { post } from "@/lib/ledger/post";
import { MAX_ADJUSTMENT } from "@/lib/limits";
import { decimal } from "@/lib/money";
import { reconcile } from "@/lib/reconcile/reconcile";
import { readStatement } from "@/lib/statement/read";
import { StatementQuery } from "@/lib/statement/schema";
import { lettersTo } from "@/lib/testing/mails";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { aStaffPerson } from "@/lib/testing/staff";
import { readTimelineForStaff } from "@/lib/timeline/read";

/** reconcile() reads the whole ledger. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
});
afterAll(async () => {
  expect(await reconcile({ inFlightMs: -1_000 })).toEqual([]);
  await rail.close();
  await drop();
});

const STAFF = { kind: "staff", id: newId() } as const;
const REASON = "Tarifa cobrada a mais em outubro.";

const adjust = ({ accountId }: Made, direction: "credit" | "debit", amount: unknown, reason = REASON) =>
  actAs(STAFF, () => postAdjustment({ ...AdjustmentBody.parse({ direction, amount, reason }), accountId }, call()));

const available = async ({ accountId }: Made) => (await readBalances(accountId)).available;

/** What the platform of each mode has earned. */
async function earned() {
  const sums = await asSystem((tx) =>
    tx.ledgerEntry.groupBy({ by: ["accountId"], where: { kind: "fees" }, _sum: { amount: true } }),
  );
  const of = (id: string) => Number(sums.find(({ accountId }) => accountId === id)?._sum.amount ?? 0);
  return { live: of(platforms.live), sandbox: of(platforms.sandbox) };
}

const adjustments = ({ accountId }: Made) => forAccount(accountId, (tx) => tx.adjustment.count());

test.each(["live", "sandbox"] as const)(
  "a credit comes out of what the platform of its own mode earned, and a debit goes back into it (%s)",
  async (mode) => {
    const seller = await makeAccount({ mode });
    const before = await earned();
    await adjust(seller, "credit", "100.00");
    expect(await available(seller)).toBe(10_000);
    expect(await earned()).toEqual({ ...before, [mode]: before[mode] - 10_000 });
    await adjust(seller, "debit", "40.01");
    expect(await available(seller)).toBe(5_999);
    expect(await earned()).toEqual({ ...before, [mode]: before[mode] - 5_999 });
  },
);

test("everybody of the staff is mailed what one of them moved by hand on a live account, and nothing of a sandbox", async () => {
  const [mover, other] = [await aStaffPerson(), await aStaffPerson(["support"])];
  const move = (made: Made) => {
    const input = {
      ...AdjustmentBody.parse({ direction: "credit", amount: 90, reason: REASON }),
      accountId: made.accountId,
    };
    return actAs({ kind: "staff", id: mover.userId }, () => postAdjustment(input, call()));
  };
  await move(await makeAccount());
  const live = await makeAccount({ mode: "live" });
  await move(live);
  const letter = {
    ...{ template: "staff_moved_money", act: "credited", seller: live.account.name, amount: 9_000, reason: REASON },
    who: "Operação",
  };
  for (const { email } of [mover, other]) expect(await lettersTo(email)).toMatchObject([letter]);
});

test("an adjustment is in the seller's statement with its reason, and in the account's history with who posted it", async () => {
  const seller = await makeAccount({ mode: "live" });
  const { data: credit } = await adjust(seller, "credit", 12.5);
  expect(credit).toEqual({
    ...{ id: expect.any(String), direction: "credit", amount: "12.50", reason: REASON },
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  });
  await adjust(seller, "debit", "2.50", "Estorno deste ajuste em parte.");
  const { data, meta } = await readStatement(seller.account, StatementQuery.parse({}));
  const line = { balance: "available", record: null, party: null, is_fee: false };
  expect(data).toMatchObject([
    { ...line, type: "adjustment_debited", amount: "-2.50", reason: "Estorno deste ajuste em parte." },
    { ...line, type: "adjustment_credited", amount: "12.50", reason: REASON },
  ]);
  expect(data.map(({ balance_after }) => balance_after)).toEqual(["10.00", "12.50"]);
  expect(meta).toMatchObject({ total: 2, next_cursor: null, balance: { available: "10.00" } });

  const history = (await readTimelineForStaff("account", seller.accountId)).data;
  const happened = { kind: "change", actor: { kind: "staff", name: null }, status: null, changes: [] };
  expect(history.slice(0, 2)).toMatchObject([
    { ...happened, title: "adjustment.debited", detail: "2.50", reason: "Estorno deste ajuste em parte." },
    { ...happened, title: "adjustment.credited", detail: "12.50", reason: REASON },
  ]);
});

describe("a debit", () => {
  test("takes no more than is available, to the cent, and leaves nothing where it is refused", async () => {
    const seller = await makeAccount({ mode: "live" });
    await adjust(seller, "credit", "10.00");
    await expect(adjust(seller, "debit", "10.01")).rejects.toMatchObject({ code: "insufficient_balance" });
    expect([await available(seller), await adjustments(seller)]).toEqual([1_000, 1]);
    await adjust(seller, "debit", "10.00");
    expect(await available(seller)).toBe(0);
  });

  test("takes nothing that is blocked", async () => {
    const seller = await makeAccount({ mode: "live" });
    await adjust(seller, "credit", "50.00");
    const owners = { account: seller.accountId };
    const amounts = { rest: 5_000, pending: 0 };
    const sourceId = newId();
    await forAccount(seller.accountId, (tx) => post(tx, { type: "refund_requested", sourceId, owners, amounts }));
    await expect(adjust(seller, "debit", "0.01")).rejects.toMatchObject({ code: "insufficient_balance" });
    await forAccount(seller.accountId, (tx) => post(tx, { type: "refund_released", sourceId, owners, amounts }));
    expect(await adjustments(seller)).toBe(1);
  });

  test("of ten at once with the money of four exactly four take it", async () => {
    const seller = await makeAccount({ mode: "live" });
    await adjust(seller, "credit", "43.00");
    const ended = await Promise.allSettled(Array.from({ length: 10 }, () => adjust(seller, "debit", "10.00")));
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
    for (const one of ended)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "insufficient_balance" });
    expect([await available(seller), await adjustments(seller)]).toEqual([300, 5]);
  });
});

test("an unknown account is refused, and nothing is written", async () => {
  const seller = { accountId: newId() } as Made;
  await expect(adjust(seller, "credit", 1)).rejects.toMatchObject({ code: "account_not_found" });
  expect(await adjustments(seller)).toBe(0);
});

test.each([
  ["no direction", { direction: undefined }],
  ["no amount", { amount: undefined }],
  ["nothing", { amount: "0.00" }],
  ["less than nothing", { amount: -1 }],
  ["a cent more than the limit", { amount: decimal(MAX_ADJUSTMENT + 1) }],
  ["no reason", { reason: " " }],
  ["a reason that is too long", { reason: "a".repeat(501) }],
])("an adjustment with %s is refused", (_, fault) => {
  const body = { direction: "credit", amount: decimal(MAX_ADJUSTMENT), reason: REASON };
  expect(AdjustmentBody.safeParse(body).success).toBe(true);
  expect(AdjustmentBody.safeParse({ ...body, ...fault }).success).toBe(false);
});

test("an adjustment cannot be changed or removed, also not by the owner", async () => {
  const seller = await makeAccount({ mode: "live" });
  const { data } = await adjust(seller, "credit", 1);
  for (const text of ["update adjustments set amount = 2 where id = $1", "delete from adjustments where id = $1"]) {
    await connected(ownerUrl(), async (client) => {
      await client.query("begin");
      await client.query("select set_config('app.accounts', '*', true)");
      await expect(client.query(text, [data.id])).rejects.toThrow(/is append-only/);
    });
  }
});
