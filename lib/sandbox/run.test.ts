import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { repeat } from "@/lib/concurrency/repeat";
import { forAccount } from "@/lib/db";
import { eventsConsumer } from "@/lib/events/consume";
import { newId } from "@/lib/ids";
import { readRefund } from "@/lib/refunds/read";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { simulateRefund } from "@/lib/refunds/simulate";
import { advanceClocks } from "@/lib/sandbox/run";
import { patience } from "@/lib/simulators/cards/routes";
import { endRefunded } from "@/lib/subscriptions/end-refunded";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { askPayout } from "@/lib/testing/payouts";
import { serveRail } from "@/lib/testing/rail";
import { makeShop } from "@/lib/testing/shop";
import { advance, anActive, aPlan, enrolledByCard, nowOf, shown } from "@/lib/testing/subscriptions";
import { awaitingWithdrawal } from "@/lib/testing/withdrawals";

/** A turn is any account's, so these tests use a database of their own. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
});
afterAll(async () => {
  await rail.close();
  await drop();
});

test("a refund that was paid back before the clock moved has ended its subscription then, though its callback is late", async () => {
  const made = await makeAccount({ available: 10_000 });
  const token = await anActive(made, await aPlan(made));
  const { account } = await nowOf(made);
  const sale = (await shown(made, token)).charges[0]?.payment.identifier ?? "";
  const body = RefundBody.parse({ reason: "other", cancel_subscription: "now" });
  const { code } = (await requestRefund(account, { ...body, id: sale }, call())).data;
  await simulateRefund(account, { code, isCompleted: true }, call());
  expect((await readRefund(made.accountId, code)).data.status).toBe("processing");
  const { consume } = eventsConsumer({ refunds: endRefunded });
  onTestFinished(repeat(10, consume, (error) => expect.unreachable(String(error))));
  await advance(made, 65);
  const { status, charges } = await shown(made, token);
  expect([status, charges.map(({ status }) => status)]).toEqual(["cancelled", ["refunded"]]);
});

test("a withdrawal is sent and paid before the clock moves on, and one that waits for a person does not hold it up", async () => {
  const made = await makeAccount({ available: 100_000 });
  const waits = await awaitingWithdrawal(made);
  const id = await askPayout(made, { key: "paid@psp.example" });
  await advance(made, 1);
  const rows = await forAccount(made.accountId, (tx) =>
    tx.withdrawal.findMany({ where: { accountId: made.accountId } }),
  );
  expect(Object.fromEntries(rows.map((one) => [one.id, one.status]))).toEqual({
    [waits]: "awaiting_approval",
    [id]: "paid",
  });
});

/** A card whose acquirer does not answer. */
const SILENT = "4000000000000259";

const begin = ({ accountId }: Made) =>
  forAccount(accountId, (tx) =>
    tx.clockAdvance.create({ data: { accountId, id: newId(), target: new Date(Date.now() + 86_400_000) } }),
  );
const advanceOf = ({ accountId }: Made) =>
  forAccount(accountId, (tx) => tx.clockAdvance.findFirstOrThrow({ where: { accountId } }));

test("a clock that waits for an answer gives the others their turn, and goes on without it in the end", async () => {
  const { heldMs } = patience;
  Object.assign(patience, { heldMs: 0 });
  onTestFinished(() => void Object.assign(patience, { heldMs }));
  const waiting = await makeShop();
  await enrolledByCard(waiting, await aPlan(waiting, { billing_method: "credit_card" }), SILENT);
  const other = await makeAccount();
  await begin(waiting);
  await begin(other);

  await advanceClocks();
  const { waitingSince, doneAt } = await advanceOf(waiting);
  expect({ waits: waitingSince !== null, doneAt }).toEqual({ waits: true, doneAt: null });
  await advanceClocks();
  expect((await advanceOf(other)).doneAt).not.toBeNull();
  await advanceClocks();
  expect((await advanceOf(waiting)).waitingSince, "it is counted from the first turn").toEqual(waitingSince);

  const { accountId } = waiting;
  await forAccount(accountId, (tx) =>
    tx.clockAdvance.updateMany({ where: { accountId }, data: { waitingSince: new Date(Date.now() - 21_000) } }),
  );
  await advanceClocks();
  const next = await advanceOf(waiting);
  expect(next.waitingSince?.getTime(), "at another instant").toBeGreaterThan(waitingSince?.getTime() ?? 0);
});
