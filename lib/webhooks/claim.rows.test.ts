import { afterAll, beforeAll, expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { rowsRead } from "@/lib/testing/rows-read";
import { claimDeliveries } from "@/lib/webhooks/claim";

let close: () => Promise<void>;
beforeAll(async () => {
  close = await openOwnDatabase();
});
afterAll(() => close());

/** Writes sales with two events each, the first of them delivered, and the second due or delivered. */
async function write({ accountId }: Made, count: number, isDue: boolean) {
  const common = { accountId, subject: "transaction", type: "transaction.updated", data: {}, record: {} };
  const sales = Array.from({ length: count }, () => ({ subjectId: newId(), first: newId(), second: newId() }));
  const events = sales.flatMap(({ subjectId, first, second }) =>
    [first, second].map((id) => ({ ...common, id, subjectId, occurredAt: new Date() })),
  );
  const delivery = {
    accountId,
    webhookId: 1,
    contract: "event",
    event: "transaction",
    url: "http://localhost:9/",
  } as const;
  const deliveries = events.map(({ id: eventId }, at) => ({
    ...{ ...delivery, id: newId(), eventId },
    ...(isDue && at % 2 === 1 ? { nextAttemptAt: new Date() } : { status: "delivered" as const, attempts: 1 }),
  }));
  await forAccount(accountId, async (tx) => {
    await tx.event.createMany({ data: events });
    await tx.delivery.createMany({ data: deliveries });
  });
  return deliveries.filter((made) => "nextAttemptAt" in made);
}

test("a claim reads only what it claims and what went before, also by a plan from when nothing was due", async () => {
  const made = await makeAccount();
  await write(made, 2_000, false);
  await connected(ownerUrl(), (owner) => owner.query("analyze deliveries, events, outbox"));
  const due = await write(made, 500, true);
  let claimed = 0;
  const claim = async () => (claimed = (await claimDeliveries(newId(), due.slice(0, 100))).length);
  const [read] = await rowsRead("deliveries", [claim]);
  expect(claimed).toBe(100);
  expect(read).toBeLessThan(600);
});
