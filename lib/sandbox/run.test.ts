import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { advanceClocks } from "@/lib/sandbox/run";
import { patience } from "@/lib/simulators/cards/routes";
import { type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { makeShop } from "@/lib/testing/shop";
import { aPlan, enrolledByCard } from "@/lib/testing/subscriptions";

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
