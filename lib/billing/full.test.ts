import { afterAll, beforeAll, expect, test } from "vitest";
import { waitsToBill } from "@/lib/accounts/context";
import { countWritten } from "@/lib/accounts/count-events";
import { countStored, flushStored, freeStorage } from "@/lib/accounts/storage";
import { billDue } from "@/lib/billing/bill-due";
import { makeSubscriptionsDue } from "@/lib/billing/write";
import { forAccount } from "@/lib/db";
import { eventsConsumer } from "@/lib/events/consume";
import { newId } from "@/lib/ids";
import { readAdvance } from "@/lib/sandbox/advance";
import { advanceClocks } from "@/lib/sandbox/run";
import type { Made } from "@/lib/testing/make";
import { makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { makeShop } from "@/lib/testing/shop";
import { anActive, aPlan, enrolledByCard, nowOf, shown } from "@/lib/testing/subscriptions";

/** A turn of the clock is any account's, so these tests use a database of their own. */
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

const MB = 1_048_576;
const DAY_MS = 86_400_000;
const limitTo = ({ accountId: id }: Made, storageLimitMb: number) =>
  forAccount(id, (tx) => tx.account.update({ where: { id }, data: { storageLimitMb } }));

async function fill({ accountId }: Made, bytes: number) {
  countStored(accountId, bytes);
  await flushStored();
}

test("an advance ends where the account is full, before its target, and says so", async () => {
  const made = await makeShop();
  const plan = await aPlan(made, { billing_method: "credit_card", periodicity_days: 7, billing_advance_days: 0 });
  await enrolledByCard(made, plan);
  await limitTo(made, 1);
  await fill(made, 0.95 * MB);
  const [id, { accountId }] = [newId(), made];
  const target = new Date(Date.now() + 3_000 * DAY_MS);
  await forAccount(accountId, (tx) => tx.clockAdvance.create({ data: { accountId, id, target } }));
  const { consume } = eventsConsumer({ storage: countWritten });
  const read = async () => readAdvance((await nowOf(made)).account, id);
  expect(await read()).toMatchObject({ done: false, stopped_by: null });
  while (!(await read()).done) await advanceClocks();
  const stopped = await read();
  expect(stopped).toMatchObject({ done: true, stopped_by: "storage_limit_reached" });
  expect(Date.parse(stopped.now)).toBeLessThan(target.getTime() - 1_000 * DAY_MS);
  while (await consume());
  await flushStored();
  const used = await forAccount(
    accountId,
    (tx) => tx.$queryRaw<{ used: bigint }[]>`
    select storage_used(${accountId}::uuid) as used`,
  );
  expect(Number(used[0]?.used)).toBeLessThan(1.1 * MB);
});

test("a full sandbox's subscriptions wait as they are, and are charged once it is freed", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  await limitTo(made, 1);
  await fill(made, MB);
  const { accountId: id } = made;
  const clockOffsetMs = BigInt(29 * DAY_MS);
  await forAccount(id, (tx) => tx.account.update({ where: { id }, data: { clockOffsetMs } }));
  const bill = billDue();
  await bill(id);
  expect(await shown(made, token)).toMatchObject({ status: "active", charges: [{ cycle_number: 1 }] });
  expect((await shown(made, token)).charges).toHaveLength(1);

  await limitTo(made, 100);
  const freed = await freeStorage();
  expect(freed).toEqual([id]);
  await makeSubscriptionsDue(freed);
  await bill(id);
  expect(await shown(made, token)).toMatchObject({
    status: "active",
    charges: [{ cycle_number: 2, status: "pending" }, { cycle_number: 1 }],
  });
});

test("a live account's billing never waits for room", () => {
  const full = { status: "approved", isFull: true } as const;
  expect(waitsToBill({ ...full, mode: "live" })).toBe(false);
  expect(waitsToBill({ ...full, mode: "sandbox" })).toBe(true);
});
