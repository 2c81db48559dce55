import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { expireCardTokens } from "@/lib/card-tokens/expire";
import { asSystem, forAccount, transactionOverAll } from "@/lib/db";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { claimMails, leases as mailLeases } from "@/lib/mail/claim";
import { writeMails } from "@/lib/mail/write";
import { makeDueCalls } from "@/lib/outside/run";
import { advanceClocks } from "@/lib/sandbox/run";
import { aMail, mailsOf } from "@/lib/testing/mails";
import { makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { claimDeliveries, releaseClaims } from "@/lib/webhooks/claim";
import { recordDelivered } from "@/lib/webhooks/record";

/** Each table here is given a policy that holds its readers up. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  await asOwner(`create function held_up() returns boolean language plpgsql as $$ begin
    perform pg_advisory_lock_shared(1), pg_advisory_unlock_shared(1); return true; end $$`);
});
afterAll(() => drop());

const asOwner = (text: string) => connected(ownerUrl(), (client) => client.query(text));

/**
 * Runs a statement that finds rows of `table`, and changes them after its snapshot was taken and before it has locked one:
 * whoever reads such a row waits until the change is committed.
 */
async function changedMeanwhile<T>(table: string, column: string, run: () => Promise<T>): Promise<T> {
  await asOwner(`create policy held_up on ${table} as restrictive for select using (held_up())`);
  try {
    return await connected(ownerUrl(), async (other) => {
      await other.query("select set_config('app.accounts', '*', false), pg_advisory_lock(1)");
      const running = run();
      running.catch(() => {});
      const waits = `select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`;
      await vi.waitFor(async () => expect((await other.query(waits)).rowCount).toBe(1), {
        timeout: 5_000,
        interval: 10,
      });
      expect((await other.query(`update ${table} set ${column} = ${column}`)).rowCount).toBeGreaterThan(0);
      await other.query("select pg_advisory_unlock(1)");
      return await running;
    });
  } finally {
    await asOwner(`drop policy held_up on ${table}`);
  }
}

async function aDelivery() {
  const { accountId } = await makeAccount();
  const sent = { accountId, id: newId(), webhookId: null, nextAttemptAt: new Date() };
  const url = "https://loja.example/";
  const data = { ...sent, eventId: newId(), contract: "event" as const, event: "transaction.created", url };
  await forAccount(accountId, (tx) => tx.delivery.create({ data }));
  const read = () =>
    forAccount(accountId, async (tx) => ({
      delivery: await tx.delivery.findUniqueOrThrow({ where: { accountId_id: { accountId, id: sent.id } } }),
      attempts: (await tx.deliveryAttempt.findMany()).map(({ attempt }) => attempt),
    }));
  return { sent, url, read };
}

const outcome = { status: 200, body: "", error: null, durationMs: 1, retryAfterMs: null };

test("an attempt that is recorded ends its delivery, although the delivery changed since it was read", async () => {
  const { sent, url, read } = await aDelivery();
  const record = () => recordDelivered([{ id: newId(), sent, url, outcome }]);
  expect(await changedMeanwhile("deliveries", "url", record)).toEqual([true]);
  expect(await read()).toMatchObject({
    delivery: { status: "delivered", attempts: 1, nextAttemptAt: null },
    attempts: [1],
  });
});

test("an attempt that cannot be recorded does not fail those recorded with it", async () => {
  const [bad, good] = [await aDelivery(), await aDelivery()];
  const { accountId, id } = bad.sent;
  const data = { id: newId(), accountId, deliveryId: id, attempt: 1, durationMs: 1 };
  await forAccount(accountId, (tx) => tx.deliveryAttempt.create({ data }));
  const attempts = [bad, good].map(({ sent, url }) => ({ id: newId(), sent, url, outcome }));
  expect(await recordDelivered(attempts)).toEqual([false, true]);
  expect(await good.read()).toMatchObject({ delivery: { status: "delivered" }, attempts: [1] });
});

test("a delivery is claimed and released, although it changed since it was read", async () => {
  const { sent, read } = await aDelivery();
  const worker = newId();
  const claimed = await changedMeanwhile("deliveries", "url", () => claimDeliveries(worker, [sent]));
  expect(claimed).toMatchObject([{ id: sent.id }]);
  await changedMeanwhile("deliveries", "url", () => releaseClaims(worker, [sent], 3_600_000));
  const { delivery } = await read();
  expect(delivery.claimedUntil?.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
});

test("a mail is claimed and released, although it changed since it was read", async () => {
  const mail = aMail();
  await transactionOverAll((query) => writeMails(query, [mail]));
  const worker = newId();
  const { claimed } = await changedMeanwhile("mails", "locale", () => claimMails(worker, 10, { served: [], full: [] }));
  expect(claimed).toHaveLength(1);
  await changedMeanwhile("mails", "locale", () => mailLeases.release(worker, claimed, 3_600_000));
  const [row] = await mailsOf(mail.intent);
  expect(row?.claimedUntil?.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
});

test("a call is asked about, although it changed since it was read", async () => {
  const data = {
    accountId: newId(),
    id: newId(),
    kind: "test",
    provider: "test",
    sentAt: new Date(),
    dueAt: new Date(0),
  };
  await asSystem((tx) => tx.call.create({ data }));
  vi.spyOn(log, "warn").mockImplementation(() => {});
  const find = vi.fn().mockRejectedValue(new Error("no answer"));
  const kind = { name: "test", find, write: async () => undefined };
  await changedMeanwhile("calls", "kind", () => makeDueCalls([kind]));
  expect(find).toHaveBeenCalledTimes(1);
});

test("a card of an expired token is deleted, although the token changed since it was read", async () => {
  const bytes = Buffer.from("x");
  const card = { hash: bytes, brand: "visa", last4: "1111", fingerprint: bytes, wrappedKey: bytes, sealedCard: bytes };
  const data = { ...card, id: newId(), accountId: newId(), expiresAt: new Date(0) };
  await asSystem((tx) => tx.cardToken.create({ data }));
  await changedMeanwhile("card_tokens", "brand", expireCardTokens);
  expect(await asSystem((tx) => tx.cardToken.findMany())).toMatchObject([{ wrappedKey: null, sealedCard: null }]);
});

test("a call is sent, although it changed since it was read", async () => {
  const data = { accountId: newId(), id: newId(), kind: "test", provider: "test" };
  await asSystem((tx) => tx.call.create({ data }));
  const send = vi.fn().mockResolvedValue(undefined);
  await changedMeanwhile("calls", "kind", () => makeDueCalls([{ name: "test", send, write: async () => undefined }]));
  expect(send).toHaveBeenCalledTimes(1);
  expect(await asSystem((tx) => tx.call.findMany({ where: data }))).toMatchObject([{ doneAt: expect.any(Date) }]);
});

test("a clock is advanced, although its advance changed since it was read", async () => {
  const { accountId } = await makeAccount();
  const beganAt = Date.now();
  const data = { accountId, id: newId(), target: new Date() };
  await asSystem((tx) => tx.clockAdvance.create({ data }));
  await changedMeanwhile("clock_advances", "target", advanceClocks).catch(() => {}); // no simulated PSP answers here
  const [row] = await asSystem((tx) => tx.clockAdvance.findMany());
  expect(row?.claimedUntil.getTime()).toBeGreaterThan(beganAt + 5_000);
});
