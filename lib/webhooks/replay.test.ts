import { afterAll, beforeAll, expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { crashAt } from "@/lib/testing/program";
import { createWebhook } from "@/lib/webhooks/create";
import { planReplays } from "@/lib/webhooks/plan-replays";
import { disableWebhook } from "@/lib/webhooks/reenable";
import { removeWebhook } from "@/lib/webhooks/remove";
import { readReplay, replayWebhook, stopReplay } from "@/lib/webhooks/replay";
import { ReplayInput, WebhookInput } from "@/lib/webhooks/schema";
import {
  deliveriesOf,
  deliverOnce,
  dispatchEvent,
  happen,
  makeSale,
  receiver,
  webhookOf,
} from "@/lib/webhooks/testing";

/** The loop takes every replay in the database, so these tests have one of their own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const register = async ({ account }: Made, url = "http://localhost:9/", event = "transaction") =>
  (await createWebhook(account, WebhookInput.parse({ title: "Loja", url, event }), call())).id;

const period = (changes: object = {}) =>
  ReplayInput.parse({ from: "2026-01-01", to: new Date(Date.now() + 86_400_000).toISOString(), ...changes });

const replay = ({ account }: Made, id: number, changes: object = {}) =>
  replayWebhook(account, { ...period(changes), id: String(id) }, call()).then(({ data }) => data);

const progress = ({ accountId }: Made, id: number) => readReplay(accountId, String(id)).then(({ data }) => data);

async function sell({ accountId }: Made, count: number) {
  const events: string[] = [];
  for (let sale = 0; sale < count; sale += 1) {
    const event = await happen(await makeSale(accountId), "completed");
    await dispatchEvent(event);
    events.push(event.eventId);
  }
  return events;
}

/** Lets all that is planned be delivered or left, and the next set be due. */
const goOn = ({ accountId }: Made) =>
  forAccount(accountId, async (tx) => {
    await tx.$executeRaw`update deliveries set next_attempt_at = next_attempt_at + interval '1 hour'
      where next_attempt_at < now() + interval '10 minutes'`;
    await tx.$executeRaw`update webhook_replays set next_at = now()`;
  });

async function finish(made: Made, id: number) {
  for (let sets = 0; (await progress(made, id))?.state === "running"; sets += 1) {
    if (sets > 100) throw new Error("the replay does not end");
    await goOn(made);
    while (await planReplays());
  }
  return progress(made, id);
}

const planned = async ({ accountId }: Made) =>
  (await deliveriesOf(accountId)).filter(({ nextAttemptAt }) => nextAttemptAt !== null);

/** Sales before a webhook, and sales of which one was delivered, one is exhausted, one failed and one waits for its first attempt. */
async function mixed() {
  const made = await makeAccount();
  const before = await sell(made, 3);
  const id = await register(made);
  const [done = "", exhausted = "", failed = "", pending = ""] = await sell(made, 4);
  const move = (eventId: string, data: object) =>
    forAccount(made.accountId, (tx) => tx.delivery.updateMany({ where: { eventId }, data }));
  await move(done, { status: "delivered", attempts: 1, nextAttemptAt: null });
  await move(exhausted, { status: "exhausted", attempts: 10, nextAttemptAt: null });
  await move(failed, { status: "failed", attempts: 3, nextAttemptAt: new Date(Date.now() + 36_000_000) });
  return { made, id, before, done, exhausted, failed, pending };
}

test("a replay sends each event once, with the id and the bytes of its event, whether or not it was sent before", async () => {
  const made = await makeAccount();
  const shop = await receiver({ status: 200 });
  const [early = ""] = await sell(made, 1);
  const id = await register(made, shop.url);
  const [late = ""] = await sell(made, 1);
  for (const { id: deliveryId } of await deliveriesOf(made.accountId)) await deliverOnce({ ...made, deliveryId });
  expect(shop.received).toHaveLength(1);
  await forAccount(made.accountId, (tx) => tx.transaction.updateMany({ data: { clientName: "Outra", amount: 1n } }));

  await replay(made, id);
  expect(await finish(made, id)).toMatchObject({ state: "done", planned: 2, again: 1, missing: 1 });
  for (const { id: deliveryId } of await deliveriesOf(made.accountId)) await deliverOnce({ ...made, deliveryId });
  const sent = (event: string) => shop.received.filter(({ headers }) => headers["webhook-id"] === event);
  expect([sent(early).length, sent(late).length]).toEqual([1, 2]);
  expect(sent(late)[1]?.body).toBe(sent(late)[0]?.body);
  expect(sent(early)[0]?.body).toContain('"amount":19.99');
  expect(sent(early)[0]?.body).not.toContain("Outra");
  expect(await deliveriesOf(made.accountId)).toHaveLength(2);
  await shop.close();
});

test.each([
  [false, { again: 3, missing: 3 }],
  [true, { again: 2, missing: 3 }],
])("a dry run (only_failed %s) counts what is then planned, and writes nothing", async (only_failed, counted) => {
  const { made, id, done, pending } = await mixed();
  const before = await deliveriesOf(made.accountId);
  const total = counted.again + counted.missing;
  const dry = await replay(made, id, { only_failed, dry_run: true });
  expect(dry).toMatchObject({ id: null, state: "dry_run", ...counted, total, total_is_exact: true, planned: 0 });
  expect([await deliveriesOf(made.accountId), await progress(made, id)]).toEqual([before, null]);

  expect(await replay(made, id, { only_failed })).toMatchObject({ state: "running", ...counted, total });
  expect(await finish(made, id)).toMatchObject({ state: "done", ...counted, planned: total });
  const after = await deliveriesOf(made.accountId);
  expect(after).toHaveLength(7);
  expect(after.filter(({ eventId }) => eventId === done)[0]?.status).toBe(only_failed ? "delivered" : "pending");
  expect((await planned(made)).length, "and what waited for its first attempt").toBe(total + 1);
  expect(after.filter(({ eventId }) => eventId === pending)).toHaveLength(1);
  expect(await replay(made, id, { only_failed, dry_run: true }), "all of it is planned").toMatchObject({ total: 0 });
});

test("a period has the events of its instants alone, and kinds that the webhook does not get are no part of it", async () => {
  const made = await makeAccount();
  await sell(made, 2);
  const from = new Date(Date.now() + 2);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await sell(made, 1);
  const [sales, refunds] = [await register(made), await register(made, "http://localhost:9/", "refund")];
  const since = { from: from.toISOString(), dry_run: true };
  expect(await replay(made, sales, since)).toMatchObject({ missing: 1 });
  expect(await replay(made, refunds, { dry_run: true })).toMatchObject({ total: 0 });
  await expect(replay(made, sales, { from: "2026-02-01", to: "2026-01-01" })).rejects.toMatchObject({
    code: "validation_failed",
  });
});

test("of two replays of one webhook that are asked for at once one runs, and the other is refused", async () => {
  const made = await makeAccount();
  await sell(made, 2);
  const id = await register(made);
  const asked = await Promise.allSettled([replay(made, id), replay(made, id)]);
  expect(asked.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(asked.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "replay_running" } });
  await finish(made, id);
  expect(await replay(made, id)).toMatchObject({ state: "running" });
  await stopReplay(made.account, { id: String(id) });
});

test("a webhook that is disabled is sent nothing again, nor one of another account", async () => {
  const [made, other] = [await makeAccount(), await makeAccount()];
  await sell(made, 1);
  const id = await register(made);
  const disable = async () => {
    const webhook = await webhookOf(made.accountId, id);
    await forAccount(made.accountId, (tx) => disableWebhook(tx, webhook, new Date(), null));
  };
  for (const act of [() => replay(other, id), () => stopReplay(other.account, { id: String(id) })]) {
    await expect(act()).rejects.toMatchObject({ code: "webhook_not_found" });
  }
  await expect(progress(other, id)).rejects.toMatchObject({ code: "webhook_not_found" });
  await replay(made, id);
  await disable();
  expect(await finish(made, id), "what is disabled meanwhile").toMatchObject({ state: "stopped", planned: 0 });
  for (const dry_run of [true, false]) {
    await expect(replay(made, id, { dry_run })).rejects.toMatchObject({ code: "webhook_disabled" });
  }
  await removeWebhook(made.account, { id: String(id) });
  await expect(replay(made, id)).rejects.toMatchObject({ code: "webhook_not_found" });
});

test("one that is stopped plans no more, and what is planned stays", async () => {
  const made = await makeAccount();
  await sell(made, 20);
  const id = await register(made);
  await replay(made, id);
  while (await planReplays());
  const stopped = (await stopReplay(made.account, { id: String(id) })).data;
  expect(stopped).toMatchObject({ state: "stopped", total: 20, planned: 8 });
  await goOn(made);
  while (await planReplays());
  expect(await planned(made)).toHaveLength(8);
  expect((await stopReplay(made.account, { id: String(id) })).data).toEqual(stopped);
});

test("a replay of many is planned in small sets, and plans nothing while something new waits for its webhook", async () => {
  const made = await makeAccount();
  await sell(made, 150);
  const id = await register(made);
  await replay(made, id);
  const sets: number[] = [];
  for (let before = 0; (await progress(made, id))?.state === "running" && sets.length < 9; ) {
    await goOn(made);
    await planReplays();
    const { length } = await planned(made);
    sets.push(length - before);
    before = length;
  }
  expect(sets, "a receiver that keeps up gets larger sets, up to a limit").toEqual([8, 16, 32, 64, 30]);

  await forAccount(made.accountId, (tx) => tx.delivery.deleteMany({}));
  await replay(made, id);
  await goOn(made);
  await planReplays();
  await goOn(made);
  const [live = ""] = await sell(made, 1);
  await forAccount(made.accountId, (tx) => tx.$executeRaw`update webhook_replays set next_at = now()`);
  for (let pass = 0; pass < 3; pass += 1) {
    await planReplays();
    await forAccount(made.accountId, (tx) => tx.$executeRaw`update webhook_replays set next_at = now()`);
  }
  const due = (await planned(made)).filter(({ nextAttemptAt }) => (nextAttemptAt ?? new Date()) <= new Date());
  expect(due.map(({ eventId }) => eventId)).toEqual([live]);
  await stopReplay(made.account, { id: String(id) });
});

test("while its webhook fails, a replay plans one delivery after the other", async () => {
  const made = await makeAccount();
  await sell(made, 10);
  const id = await register(made);
  await forAccount(made.accountId, (tx) =>
    tx.webhook.updateMany({ data: { failuresInRow: 1, failingSince: new Date() } }),
  );
  await replay(made, id);
  for (let pass = 0; pass < 3; pass += 1) await planReplays();
  expect(await planned(made)).toHaveLength(1);
  await stopReplay(made.account, { id: String(id) });
});

test("a worker that is killed in the middle of a set: another goes on from the set before, and plans each event once", {
  timeout: 60_000,
}, async () => {
  const made = await makeAccount();
  const events = await sell(made, 12);
  const id = await register(made);
  await replay(made, id);
  await planReplays();
  await goOn(made);
  const source = `import { planReplays } from "@/lib/webhooks/plan-replays";
    await planReplays();
    process.exit(0);`;
  await crashAt("replay.planned", source);
  expect(await progress(made, id)).toMatchObject({ state: "running", planned: 8 });
  expect(await finish(made, id)).toMatchObject({ state: "done", planned: 12 });
  expect((await planned(made)).map(({ eventId }) => eventId)).toEqual(events);
});
