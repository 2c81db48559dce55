import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { postAdjustment } from "@/lib/adjustments/post";
import { chargeCard } from "@/lib/charges/charge";
import { ChargeBody } from "@/lib/charges/schema";
import { settleDueCharges } from "@/lib/charges/settle";
import { asSystem, forAccount } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { requestDeposit } from "@/lib/deposits/request";
import { platforms } from "@/lib/ledger/chart";
import { foldTails } from "@/lib/ledger/fold";
import { railFor } from "@/lib/rails/pix/rails";
import { type Fault, reconcile } from "@/lib/reconcile/reconcile";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { anOrder, aToken } from "@/lib/testing/shop";

/** reconcile() compares a database as a whole, so no other test may write to this one. */
let rail: Awaited<ReturnType<typeof serveRail>>;
let drop: () => Promise<void>;
let seller: Made;
let recipient: Made;
let saleId: string;
let endToEndId: string;

beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
  [seller, recipient] = [await makeAccount({ feeBasisPoints: 200 }), await makeAccount()];
  saleId = await charge();
  endToEndId = await pay(saleId);
  await completeDeposit({ provider: "simulator", endToEndId });
});
afterAll(async () => {
  await rail.close();
  await drop();
});

/** A sale of R$ 100.00: 2.00 is the fee, 10 % of the rest the recipient's. */
async function charge(): Promise<string> {
  const split = [{ user_id: recipient.clientId, percentage: 10 }];
  const deposit = await requestDeposit(seller.account, cashIn({ split }), call());
  return deposit.identifier;
}

async function pay(id: string): Promise<string> {
  const accountId = seller.accountId;
  const where = { accountId_id: { accountId, id } };
  const { pixCode } = await forAccount(accountId, (tx) => tx.transaction.findUniqueOrThrow({ where }));
  const receipt = await railFor("sandbox")?.pay?.({ code: pixCode ?? "" });
  return receipt?.endToEndId ?? "";
}

const faults = () => reconcile({ inFlightMs: -1_000 });
const names = (found: Fault[]) => found.map(({ fault }) => fault).sort();

/** Everything agrees before and after every planted fault. */
afterEach(async () => expect(await faults()).toEqual([]));

/**
 * Changes a table in a way that the program cannot: as the owner, with the triggers off. Returns what reconcile finds,
 * and restores every row.
 */
function planted(table: string, change: string): Promise<Fault[]> {
  return connected(ownerUrl(), async (client) => {
    await client.query("set session_replication_role = replica");
    await client.query(`create temp table kept as table ${table}`);
    try {
      const { rowCount } = await client.query(change);
      expect(rowCount).toBe(1);
      return await faults();
    } finally {
      await client.query(`delete from ${table}`);
      await client.query(`insert into ${table} table kept`);
    }
  });
}

const posting = (type: string) =>
  `(select id from ledger_postings where type = '${type}' and account_id = '${seller.accountId}')`;

const mine = () => ({ accountId: seller.accountId });

test("a missing entry: the posting, the balance and the whole ledger are named", async () => {
  const change = `delete from ledger_entries where kind = 'available' and posting_id = ${posting("deposit_completed")}`;
  const found = await planted("ledger_entries", change);
  expect(names(found)).toEqual(["balance_differs", "ledger_not_zero", "posting_not_zero"]);
  expect(found).toContainEqual(
    expect.objectContaining({ fault: "balance_differs", ...mine(), detail: "available is 8820, entries say -980" }),
  );
  expect(found).toContainEqual(expect.objectContaining({ fault: "posting_not_zero", ...mine() }));
  expect(found).toContainEqual(
    expect.objectContaining({ fault: "ledger_not_zero", detail: "sandbox: entries sum to -9800" }),
  );
});

test("a ledger that is not zero although every posting is, because entries belong to no posting", async () => {
  const change = `insert into ledger_entries (account_id, posting_id, type, source_id, kind, amount)
    values ('${seller.accountId}', gen_random_uuid(), 'x', gen_random_uuid(), 'available', 5)`;
  const found = await planted("ledger_entries", change);
  expect(names(found)).toEqual(["balance_differs", "days_differ", "ledger_not_zero"]);
  expect(found).toContainEqual(
    expect.objectContaining({ fault: "ledger_not_zero", detail: "sandbox: entries sum to 5" }),
  );
});

test("an entry that names another source than its posting", async () => {
  const change = `update ledger_entries set source_id = gen_random_uuid()
    where kind = 'available' and posting_id = ${posting("deposit_completed")}`;
  expect(await planted("ledger_entries", change)).toMatchObject([{ fault: "entry_differs", ...mine() }]);
});

test("a count that is one too high, and a sale that nobody counted", async () => {
  const change = `insert into rollups values ('${seller.accountId}', 'paid', '2026-01-31', 'pix', 'refunded', 1, 100, 99)`;
  const detail = "paid on 2026-01-31, pix refunded: 1 sales of 100 cents too many";
  expect(await planted("rollups", change)).toEqual([{ fault: "count_differs", ...mine(), detail }]);
  const lost = `delete from outbox where ctid = (select ctid from outbox where account_id = '${seller.accountId}' limit 1)`;
  expect(new Set(names(await planted("outbox", lost)))).toEqual(new Set(["count_differs"]));
});

test("a sale that says that more went back than its refunds gave", async () => {
  const change = `update transactions set refunded_amount = 5 where account_id = '${seller.accountId}' and status = 'completed'`;
  const detail = "completed with 5 cents back, its refunds are of 0";
  expect(await planted("transactions", change)).toContainEqual(
    expect.objectContaining({ fault: "refunded_amount_differs", ...mine(), detail }),
  );
});

test("an adjustment that was posted otherwise than it says, and one that nobody wrote down", async () => {
  const { accountId } = seller;
  const credit = { accountId, direction: "credit", amount: 500, reason: "Taxa errada." } as const;
  const { data } = await postAdjustment(credit, call());
  const more = `update adjustments set amount = 501 where id = '${data.id}'`;
  expect(await planted("adjustments", more)).toEqual([
    { fault: "adjustment_differs", ...mine(), id: data.id, detail: "credit of 501 cents, posted 500" },
  ]);
  expect(await planted("adjustments", `update adjustments set direction = 'debit' where id = '${data.id}'`)).toEqual([
    { fault: "adjustment_differs", ...mine(), id: data.id, detail: "debit of 500 cents, posted 0" },
  ]);
  expect(await planted("adjustments", `delete from adjustments where id = '${data.id}'`)).toEqual([
    { fault: "posting_without_adjustment", ...mine(), id: data.id, detail: "adjustment_credited" },
  ]);
  await postAdjustment({ ...credit, direction: "debit" }, call());
});

test("a stale snapshot", async () => {
  while (await foldTails());
  const change = `update ledger_snapshots set amount = amount - 1
    where account_id = '${seller.accountId}' and kind = 'available'`;
  expect(await planted("ledger_snapshots", change)).toEqual([
    { fault: "balance_differs", ...mine(), detail: "available is 8819, entries say 8820" },
  ]);
});

test("a tail that lost a row before it was folded", async () => {
  const id = await charge();
  await completeDeposit({ provider: "simulator", endToEndId: await pay(id) });
  const change = `delete from ledger_tail where ctid = (select ctid from ledger_tail
    where account_id = '${seller.accountId}' and kind = 'available' limit 1)`;
  expect(names(await planted("ledger_tail", change))).toEqual(["balance_differs", "days_differ"]);
});

test("a completed sale without posting", async () => {
  const id = await charge();
  const change = `update transactions set status = 'completed', paid_at = now() where id = '${id}'`;
  const found = await planted("transactions", change);
  expect(found).toContainEqual({ fault: "sale_without_posting", ...mine(), id, detail: "pix of 10000 cents" });
});

test("a posting whose sale is open, or is gone", async () => {
  const fault = { fault: "posting_without_sale", ...mine(), id: saleId };
  const reopened = await planted("transactions", `update transactions set status = 'pending' where id = '${saleId}'`);
  expect(reopened).toContainEqual(expect.objectContaining(fault));
  const gone = await planted("transactions", `delete from transactions where id = '${saleId}'`);
  expect(gone).toContainEqual(expect.objectContaining(fault));
});

test("a posting whose amount differs from its sale's", async () => {
  const change = `update transactions set amount = amount + 1, net = net + 1 where id = '${saleId}'`;
  const found = await planted("transactions", change);
  const detail = expect.stringContaining("clearing -10000, sale 10001");
  expect(found).toContainEqual({ fault: "posting_differs", ...mine(), id: saleId, detail });
  expect(new Set(names(found))).toEqual(new Set(["posting_differs", "count_differs"]));
});

test("a posting that gave the right sum to the wrong side: a cent of the fee went to the seller", async () => {
  const change = `update transactions set fee = fee + 1, net = net - 1 where id = '${saleId}'`;
  const found = await planted("transactions", change);
  expect(found).toContainEqual(expect.objectContaining({ fault: "posting_differs", ...mine(), id: saleId }));
});

test("a completed sale whose recipient was not paid, or not what was agreed", async () => {
  for (const changed of ["id = gen_random_uuid()", "amount = 981", `recipient_id = '${platforms.live}'`]) {
    const change = `update shares set ${changed} where transaction_id = '${saleId}'`;
    const found = await planted("shares", change);
    expect(found, change).toContainEqual(expect.objectContaining(mine()));
  }
});

test("a sale that was completed by another sale's payment, as every_release_alike marks it", async () => {
  const change = `update transactions set end_to_end_id = end_to_end_id || '#2' where id = '${saleId}'`;
  const detail = `${endToEndId}#2, 10000 cents`;
  expect(await planted("transactions", change)).toContainEqual({
    fault: "payment_of_two_sales",
    ...mine(),
    id: saleId,
    detail,
  });
});

test("a rail movement without sale", async () => {
  const lost = await pay(await charge()); // its callback never arrived
  const found = await faults();
  expect(found).toEqual([{ fault: "movement_without_sale", id: lost, detail: "10000 cents" }]);
  expect(await reconcile()).toEqual([]); // it may still be on its way
  await completeDeposit({ provider: "simulator", endToEndId: lost });
});

test("a sale whose money stands at another rail than the one that received it", async () => {
  const change = `update transactions set provider = 'other' where id = '${saleId}'`;
  expect(names(await planted("transactions", change))).toEqual(["clearing_of_another_rail"]);
});

test("a rail movement that is recorded for the operator is no fault", async () => {
  const id = await charge();
  const [first, second] = [await pay(id), await pay(id)];
  for (const endToEnd of [first, second]) await completeDeposit({ provider: "simulator", endToEndId: endToEnd });
  expect(await asSystem((tx) => tx.unmatchedReceipt.findMany())).toMatchObject([
    { endToEndId: second, reason: "already_paid" },
  ]);
});

test("a payment that is recorded for the operator although it pays an open sale to the cent", async () => {
  const id = await charge();
  const note = (
    amount: string,
    reason: string,
  ) => `insert into unmatched_receipts (account_id, id, mode, method, provider,
      end_to_end_id, txid, amount, reason, received_at, updated_at)
    select account_id, gen_random_uuid(), 'sandbox', method, 'simulator', 'E1', txid, ${amount}, '${reason}', now(), now()
    from transactions where id = '${id}'`;
  const detail = "E1 of 10000 cents is noted as already_paid";
  const fault = { fault: "noted_payment_of_open_sale", ...mine(), id, detail };
  const held = (amount: number) => `held ${amount + 10_000}, posted 10000`; // what the test before left
  const unposted = (amount: number) => [
    { fault: "unmatched_differs", id: "E1", detail: `${amount} cents, posted 0` },
    { fault: "unmatched_sum_differs", accountId: platforms.sandbox, id: "sandbox", detail: held(amount) },
  ];
  const notes = (amount: string, reason: string) => planted("unmatched_receipts", note(amount, reason));
  expect(await notes("amount", "already_paid")).toEqual([fault, ...unposted(10_000)]);
  expect(await notes("amount - 1", "amount_differs")).toEqual(unposted(9_999));
  expect(await notes("amount", "another_rail")).toEqual(unposted(10_000));
});

test("a movement whose sale is gone is a fault again", async () => {
  const found = await planted("transactions", `delete from transactions where id = '${saleId}'`);
  expect(found).toContainEqual({ fault: "movement_without_sale", id: endToEndId, detail: "10000 cents" });
});

test("a rail that does not answer is an error, never a comparison without faults", async () => {
  await rail.close();
  await expect(reconcile()).rejects.toThrow();
  rail = await serveRail();
});

test("the platform's own account is compared like any other", async () => {
  while (await foldTails());
  const change = `update ledger_snapshots set amount = amount + 1 where account_id = '${platforms.sandbox}' and kind = 'fees'`;
  expect(await planted("ledger_snapshots", change)).toMatchObject([
    { fault: "balance_differs", accountId: platforms.sandbox },
  ]);
});

describe("cards:", () => {
  /** A settled charge of R$ 100.00, 4.38 of it the fee, half of the rest the recipient's. */
  async function settledCharge(): Promise<string> {
    const split = [{ user_id: recipient.clientId, percentage: 50 }];
    const id = await cardCharge({ split });
    const where = { accountId_id: { accountId: seller.accountId, id } };
    await forAccount(seller.accountId, (tx) => tx.transaction.update({ where, data: { settleAt: new Date(0) } }));
    await settleDueCharges();
    return id;
  }

  async function cardCharge(overrides: object = {}): Promise<string> {
    const order = anOrder(await aToken(seller), overrides);
    const { identifier } = await chargeCard(seller.account, ChargeBody.parse(order), call());
    return identifier;
  }

  const posting = (type: string, id: string) => `(select id from ledger_postings where type = '${type}'
    and source_id = '${id}')`;

  test("a settlement that gave the recipient's money to the seller, though the sum is right", async () => {
    const id = await settledCharge();
    const change = `update ledger_entries set account_id = '${seller.accountId}' where kind = 'available'
      and account_id = '${recipient.accountId}' and posting_id in (select id from ledger_postings where type = 'card_settled')`;
    const found = await planted("ledger_entries", change);
    expect(found).toContainEqual(expect.objectContaining({ fault: "settlement_differs", ...mine(), id }));
  });

  test("a settlement that moved another amount, and one that is missing", async () => {
    const id = await settledCharge();
    const less = `update ledger_entries set amount = amount - 1 where kind = 'available'
      and posting_id = ${posting("card_settled", id)}`;
    expect(names(await planted("ledger_entries", less))).toContain("settlement_differs");
    const gone = `delete from ledger_postings where id = ${posting("card_settled", id)}`;
    expect(names(await planted("ledger_postings", gone))).toContain("settlement_differs");
  });

  test("a settlement and a share of no sale", async () => {
    for (const type of ["card_settled", "card_split_paid", "split_paid"]) {
      const change = `insert into ledger_postings (id, account_id, type, source_id)
        values (gen_random_uuid(), '${seller.accountId}', '${type}', gen_random_uuid())`;
      expect(names(await planted("ledger_postings", change)), type).toEqual(["posting_without_share"]);
    }
  });

  test("a completed charge without posting, and one that the acquirer approved and we do not know of", async () => {
    const id = await cardCharge();
    const unposted = `delete from ledger_postings where id = ${posting("card_completed", id)}`;
    expect(names(await planted("ledger_postings", unposted))).toContain("sale_without_posting");
    const forgotten = `delete from transactions where id = '${id}'`;
    const found = await planted("transactions", forgotten);
    expect(found).toContainEqual({ fault: "charge_without_sale", id, detail: "10000 cents" });
  });

  test("a charge that has had no answer for an hour", async () => {
    const id = await cardCharge();
    const change = `update calls set done_at = null, sent_at = now() - interval '2 hours' where id = '${id}'`;
    expect(await planted("calls", change)).toMatchObject([{ fault: "call_unanswered", ...mine(), id }]);
  });

  test("a charge that is written and was not sent for an hour", async () => {
    const id = await cardCharge();
    const change = `update calls set done_at = null, sent_at = null, created_at = now() - interval '2 hours'
      where id = '${id}'`;
    expect(await planted("calls", change)).toMatchObject([{ fault: "call_not_sent", ...mine(), id }]);
  });
});
