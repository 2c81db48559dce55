import { expect, test } from "vitest";
import { asSystem, forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { makeAccount } from "@/lib/testing/make";
import { register } from "@/lib/testing/webhooks";
import { claimDeliveries, findDue, PER_ENDPOINT, releaseClaims, renewClaims } from "@/lib/webhooks/claim";
import { deliveriesOf, deliverOnce, dispatchEvent, happen, letPass, makeSale, receiver } from "@/lib/webhooks/testing";

const NONE = { endpoints: [], accounts: [], areSandboxesFull: false };

/** The accounts of other tests for which deliveries are planned. */
const othersThan = (accountId: string) =>
  asSystem(async (tx) => {
    const where = { nextAttemptAt: { not: null }, accountId: { not: accountId } };
    const rows = await tx.delivery.findMany({ where, distinct: ["accountId"], select: { accountId: true } });
    return rows.map((row) => row.accountId);
  });

async function seller() {
  const made = await makeAccount();
  const { accountId } = made;
  // Another test may plan a delivery between the two queries, and its delivery must not be claimed here.
  const due = async () =>
    (await findDue({ ...NONE, accounts: await othersThan(accountId) })).due.filter(
      (one) => one.accountId === accountId,
    );
  const sell = async () => dispatchEvent(await happen(await makeSale(accountId), "completed"));
  return { ...made, due, sell };
}

const SECONDS = 1 / 3_600;

test("one of many workers claims a delivery, until the claim is released or not renewed", async () => {
  const made = await seller();
  await register(made);
  await made.sell();
  const due = await made.due();
  const workers = Array.from({ length: 6 }, newId);
  const claims = await Promise.all(workers.map((worker) => claimDeliveries(worker, due)));
  expect(claims.map(({ length }) => length).sort()).toEqual([0, 0, 0, 0, 0, 1]);
  const holder = workers.find((_, at) => claims[at]?.length === 1) ?? "";
  const other = workers.find((worker) => worker !== holder) ?? "";
  expect(await made.due()).toEqual([]);

  await letPass(made.accountId, 6 * SECONDS);
  await renewClaims(holder, due);
  await renewClaims(other, due);
  await letPass(made.accountId, 5 * SECONDS);
  expect(await made.due()).toEqual([]);
  await releaseClaims(other, due);
  expect(await made.due()).toEqual([]);
  await letPass(made.accountId, 3 * SECONDS);
  expect(await made.due(), "not renewed for eight seconds").toHaveLength(1);

  expect(await claimDeliveries(other, due)).toHaveLength(1);
  await renewClaims(holder, due);
  await releaseClaims(holder, due);
  expect(await made.due(), "another worker has claimed it").toEqual([]);
  await releaseClaims(other, due);
  expect(await made.due()).toHaveLength(1);
});

test("the backlog of one endpoint hides no other endpoint, of its account or of others", async () => {
  const [greedy, other] = [await seller(), await seller()];
  const [full] = [await register(greedy), await register(other)];
  for (let sale = 0; sale < PER_ENDPOINT + 4; sale += 1) await greedy.sell();
  const added = await register(greedy);
  await greedy.sell();
  await other.sell();
  const endpoints = (await greedy.due()).map(({ endpoint }) => endpoint);
  expect(new Set(endpoints)).toEqual(new Set([String(full.id), String(added.id)]));
  expect(endpoints.length).toBeLessThanOrEqual(PER_ENDPOINT + 1);
  expect(await other.due()).toHaveLength(1);

  const { due: without } = await findDue({
    ...NONE,
    endpoints: [`${greedy.accountId} ${full.id}`],
    accounts: await othersThan(greedy.accountId),
  });
  expect(without.filter(({ accountId }) => accountId === greedy.accountId)).toMatchObject([
    { endpoint: `${added.id}` },
  ]);
  expect(without.filter(({ accountId }) => accountId === other.accountId)).toEqual([]);
});

test("an account whose forty endpoints each have a backlog hides no other account", async () => {
  const [greedy, other] = [await seller(), await seller()];
  await register(other);
  await other.sell();
  await asSystem(
    (tx) => tx.$executeRaw`
      insert into deliveries (account_id, id, webhook_id, contract, event, event_id, url, next_attempt_at)
      select ${greedy.accountId}::uuid, gen_random_uuid(), webhook, 'event', 'transaction.created', gen_random_uuid(),
        'http://localhost:9/', now() - interval '1 hour'
      from generate_series(1, 40) webhook, generate_series(1, 8)`,
  );
  const accounts = (await othersThan(greedy.accountId)).filter((id) => id !== other.accountId);
  const { due } = await findDue({ ...NONE, accounts });
  expect(due.map(({ accountId }) => accountId)).toContain(other.accountId);
  await asSystem((tx) => tx.$executeRaw`delete from deliveries where account_id = ${greedy.accountId}::uuid`);
});

test("callbacks without a webhook are distinguished by host: a host that is full hides no other", async () => {
  const made = await seller();
  const hosts = ["slow.invalid", "quick.invalid:8443"];
  const sellTo = async (url: string) => {
    await dispatchEvent(await happen(await makeSale(made.accountId, { callback: { url } }), "completed"));
  };
  for (let sale = 0; sale < PER_ENDPOINT + 4; sale += 1) await sellTo(`https://${hosts[0]}/own?x=1`);
  const spellings = [
    "https://quick.invalid:8443",
    "HTTPS://Quick.invalid:8443?x=1",
    "https:\\\\quick.invalid:8443\\own",
  ];
  for (const url of spellings) await sellTo(url);
  expect(new Set((await made.due()).map(({ endpoint }) => endpoint))).toEqual(new Set([hosts[0]]));
  const full = {
    ...NONE,
    endpoints: [`${made.accountId} ${hosts[0]}`],
    accounts: await othersThan(made.accountId),
  };
  const rest = (await findDue(full)).due.filter(({ accountId }) => accountId === made.accountId);
  expect(rest.map(({ endpoint }) => endpoint)).toEqual([hosts[1], hosts[1], hosts[1]]);
});

test("first attempts about one sale at one endpoint stay in order", async () => {
  const made = await seller();
  const { url, close } = await receiver({ status: 500 });
  const [first, second] = [await register(made, url), await register(made, url)];
  const sale = await makeSale(made.accountId);
  await dispatchEvent(await happen(sale, "pending"));
  await dispatchEvent(await happen(sale, "completed"));
  const deliveries = await deliveriesOf(made.accountId);
  const [created, changed] = ["transaction.created", "transaction.updated"].map((event) =>
    deliveries.find((one) => one.event === event && one.webhookId === first.id),
  );
  if (!created || !changed) throw new Error("both events were to be delivered");
  const worker = newId();
  expect(
    (await claimDeliveries(worker, deliveries)).map(({ event, webhookId }) => `${event} ${webhookId}`).sort(),
  ).toEqual([first, second].map(({ id }) => `transaction.created ${id}`).sort());
  expect(await claimDeliveries(newId(), [changed]), "the earlier one is under way").toEqual([]);
  await releaseClaims(worker, deliveries);
  await deliverOnce({ accountId: made.accountId, deliveryId: created.id });
  expect(await claimDeliveries(newId(), [changed]), "the earlier one failed, and waits").toHaveLength(1);
  await close();
});

test("a live account is found however many sandboxes wait, and accounts that were not served just now come first", async () => {
  const { accountId: live } = await makeAccount({ mode: "live" });
  const waiting = (count: number, account: string | null) =>
    asSystem(
      (tx) => tx.$queryRaw<{ id: string }[]>`
        with crowd as (
          insert into accounts (id, mode, status, name, email, document, pix_fee_fixed, pix_fee_minimum, card_fee_fixed,
            card_fee_minimum, card_settlement_days, storage_limit_mb, time_zone)
          select gen_random_uuid(), 'sandbox', 'approved', 'Loja', 'loja@example.com', '11222333000181', 0, 0, 0, 0, 30, 1, 'UTC'
          from generate_series(1, ${count}) where ${account}::uuid is null
          returning id
        ), owner as (select id from crowd union all select ${account}::uuid where ${account}::uuid is not null)
        insert into deliveries (account_id, id, webhook_id, contract, event, event_id, url, next_attempt_at)
        select owner.id, gen_random_uuid(), 1, 'event', 'transaction.created', gen_random_uuid(), 'http://localhost:9/',
          now() - ${count} * interval '1 minute'
        from owner returning account_id as id`,
    );
  const crowd = (await waiting(400, null)).map(({ id }) => id);
  await waiting(1, live);
  const found = async (areSandboxesFull: boolean, served: string[] = []) => {
    const { due } = await findDue({ ...NONE, areSandboxesFull }, served);
    return due.map(({ accountId }) => accountId);
  };
  expect(await found(false)).toContain(live);
  const some = await found(true);
  expect(some).toContain(live);
  expect(some.filter((id) => crowd.includes(id))).toEqual([]);
  const [last = "", ...others] = crowd;
  const turns = (await found(false, others)).filter((id) => crowd.includes(id));
  expect(turns[0]).toBe(last);
  await asSystem(async (tx) => {
    await tx.$executeRaw`delete from deliveries where account_id = any(${[live, ...crowd]}::uuid[])`;
    await tx.$executeRaw`delete from accounts where id = any(${crowd}::uuid[])`;
  });
});

test("an event that was dispatched before an earlier one about its sale waits until that one is dispatched too", async () => {
  const made = await seller();
  await register(made);
  const sale = await makeSale(made.accountId);
  const created = await happen(sale, "pending");
  await dispatchEvent(await happen(sale, "completed"));
  const claim = async () => claimDeliveries(newId(), await deliveriesOf(made.accountId));
  expect(await claim()).toEqual([]);
  await dispatchEvent(created);
  expect((await claim()).map(({ event }) => event)).toEqual(["transaction.created"]);
});

test("an event waits for an earlier one about its sale that is left for the deliveries, and for none left for others", async () => {
  const made = await seller();
  await register(made);
  const sale = await makeSale(made.accountId);
  const { accountId, eventId } = await happen(sale, "pending");
  const forget = async () =>
    asSystem(async (tx) => {
      for (const table of ["outbox", "outbox_of_consumers"])
        await tx.$executeRawUnsafe(`delete from ${table} where event_id = $1::uuid`, eventId);
    });
  const leaveFor = async (consumer: string) => {
    await forget();
    await asSystem(
      (tx) => tx.$executeRaw`
        insert into outbox_of_consumers (consumer, account_id, event_id)
        values (${consumer}, ${accountId}::uuid, ${eventId}::uuid)`,
    );
  };
  await dispatchEvent(await happen(sale, "completed"));
  const claim = async () => claimDeliveries(newId(), await deliveriesOf(accountId));
  await leaveFor("deliveries");
  expect(await claim()).toEqual([]);
  await leaveFor("earnings");
  expect((await claim()).map(({ event }) => event)).toEqual(["transaction.updated"]);
  await forget();
});

test("later events that were dispatched before the earlier ones of their sales are held up for five seconds only", async () => {
  const made = await seller();
  await register(made);
  const created = [];
  for (let sale = 0; sale <= PER_ENDPOINT; sale += 1) {
    const one = await makeSale(made.accountId);
    created.push(await happen(one, "pending"));
    await dispatchEvent(await happen(one, "completed"));
  }
  for (const event of created) await dispatchEvent(event);
  const claimAll = async () => claimDeliveries(newId(), await made.due());
  expect(await claimAll(), "the first that are found wait for theirs").toEqual([]);
  await letPass(made.accountId, 5 * SECONDS);
  expect(await claimAll()).toHaveLength(PER_ENDPOINT);
});

test("a delivery that waits for a disabled webhook, is planned for later or is done is not due", async () => {
  const made = await seller();
  await register(made);
  for (const change of [
    { nextAttemptAt: null },
    { nextAttemptAt: new Date(Date.now() + 60_000) },
    { nextAttemptAt: null, status: "delivered" as const },
  ]) {
    await made.sell();
    const [last] = (await deliveriesOf(made.accountId)).slice(-1);
    const where = { accountId_id: { accountId: made.accountId, id: last?.id ?? "" } };
    await forAccount(made.accountId, (tx) => tx.delivery.update({ where, data: change }));
  }
  expect(await made.due()).toEqual([]);
  expect(await claimDeliveries(newId(), await deliveriesOf(made.accountId))).toEqual([]);
});
