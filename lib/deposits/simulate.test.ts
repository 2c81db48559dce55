import { afterAll, beforeAll, expect, test } from "vitest";
import { forAccount, runPrepared } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { expireDeposit } from "@/lib/deposits/expire";
import { requestDeposit } from "@/lib/deposits/request";
import { PayBody } from "@/lib/deposits/schema";
import { simulatePayment } from "@/lib/deposits/simulate";
import { env } from "@/lib/env";
import { type Idem, replayOf } from "@/lib/idempotency";
import { newId, sha256 } from "@/lib/ids";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { openRail } from "@/lib/testing/rail";

/** Elsewhere another test's clock may have the PSP's notices sent. */
let drop: () => Promise<void>;
openRail();
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

async function askFor({ account }: Made): Promise<string> {
  const deposit = await requestDeposit(account, cashIn(), call());
  return deposit.identifier;
}

const saleOf = ({ accountId }: Made, id: string) =>
  forAccount(accountId, (tx) => tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } }));

type Simulated = { identifier: string; end_to_end_id: string };

const simulate = ({ accountId }: Made, id: string, body: object = {}, idem?: Idem): Promise<Simulated> =>
  simulatePayment({ id: accountId }, { ...PayBody.parse(body), id }, { ...call(), idem }).catch((error) => {
    const replayed = replayOf(error);
    if (replayed) return JSON.parse(replayed.body);
    throw error;
  });

/** The payments that the PSP recorded for a sale. Each is completed here, so that the run's ledger agrees. */
async function recorded(seller: Made, id: string) {
  const { txid } = await saleOf(seller, id);
  const text = "select end_to_end_id, amount::int, payer from simulator_pix where txid = $1";
  const rows = await runPrepared<{ end_to_end_id: string; amount: number; payer: object }>("t-recorded", text, [txid]);
  for (const row of rows) await completeDeposit({ provider: "simulator", endToEndId: row.end_to_end_id });
  return rows;
}

test("plays the payer at the PSP and changes nothing of ours, which only the callback starts", async () => {
  const seller = await makeAccount();
  const id = await askFor(seller);
  const paid = await simulate(seller, id);
  expect(paid).toEqual({ message: expect.any(String), identifier: id, end_to_end_id: expect.stringMatching(/^E/) });
  expect(await saleOf(seller, id)).toMatchObject({ status: "pending", endToEndId: null });
  expect(await recorded(seller, id)).toMatchObject([{ end_to_end_id: paid.end_to_end_id, amount: 10_000 }]);
});

test("pays the given amount as the given payer", async () => {
  const seller = await makeAccount();
  const id = await askFor(seller);
  await simulate(seller, id, { amount: 0.5, payer: { name: "Ana", document: "529.982.247-25" } });
  expect(await recorded(seller, id)).toMatchObject([{ amount: 50, payer: { name: "Ana", document: "52998224725" } }]);
});

test("pays once under one Idempotency-Key, also when the first answer was lost or ten ask at once", async () => {
  const seller = await makeAccount();
  const id = await askFor(seller);
  const { accountId } = seller;
  const render = (result: unknown) => ({ status: 200, body: JSON.stringify(result) });
  const idem = { accountId, key: newId(), requestHash: sha256("the request"), render };
  const answers = await Promise.all(Array.from({ length: 10 }, () => simulate(seller, id, {}, idem)));
  expect(new Set(answers.map(({ end_to_end_id }) => end_to_end_id)).size).toBe(1);
  await forAccount(accountId, (tx) => tx.idempotencyKey.deleteMany({ where: { key: idem.key } })); // as if it never committed
  expect(await simulate(seller, id, {}, idem)).toEqual(answers[0]);
  expect(await recorded(seller, id)).toHaveLength(1);
  await forAccount(accountId, (tx) => tx.idempotencyKey.deleteMany({ where: { key: idem.key } }));
  expect(await simulate(seller, id, {}, idem), "also when the sale is paid by now").toEqual(answers[0]);
  const other = { ...idem, key: newId() };
  await expect(simulate(seller, id, {}, other)).rejects.toMatchObject({ code: "invalid_transition" });
});

test("an expired sale can still be paid, a paid one cannot", async () => {
  const seller = await makeAccount();
  const id = await askFor(seller);
  await expireDeposit(seller.account, { id }, call());
  await simulate(seller, id);
  expect(await recorded(seller, id)).toHaveLength(1);
  await expect(simulate(seller, id)).rejects.toMatchObject({ code: "invalid_transition" });
});

test("another account's sale is not found, like one that does not exist", async () => {
  const [seller, other] = [await makeAccount(), await makeAccount()];
  for (const id of [await askFor(seller), newId()]) {
    await expect(simulate(other, id)).rejects.toMatchObject({ code: "transaction_not_found" });
  }
});

test("answers rail_unavailable when the PSP is down, and keeps nothing", async () => {
  const seller = await makeAccount();
  const id = await askFor(seller);
  const { SIMULATOR_URL } = env;
  Object.assign(env, { SIMULATOR_URL: "http://127.0.0.1:9" });
  await expect(simulate(seller, id)).rejects.toMatchObject({ code: "rail_unavailable" });
  Object.assign(env, { SIMULATOR_URL });
  expect(await saleOf(seller, id)).toMatchObject({ status: "pending" });
  expect(await recorded(seller, id)).toEqual([]);
});
