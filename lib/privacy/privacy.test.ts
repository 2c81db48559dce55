import { generateCpf } from "@brazilian-utils/brazilian-utils";
import { expect, test } from "vitest";
import { actAs } from "@/lib/actor";
import { forAccount, runPrepared, transactionFor } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { expireDeposit } from "@/lib/deposits/expire";
import { requestDeposit } from "@/lib/deposits/request";
import { simulatePayment } from "@/lib/deposits/simulate";
import { newId } from "@/lib/ids";
import { writeMails } from "@/lib/mail/write";
import { erasePeople, listErasures, requestErasure } from "@/lib/privacy/erase";
import { exportPerson, readEffects } from "@/lib/privacy/export";
import { places } from "@/lib/privacy/places";
import { type Person, PersonBody } from "@/lib/privacy/schema";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { cancelSubscription } from "@/lib/subscriptions/cancel";
import { makeLink, payAs } from "@/lib/testing/checkout";
import { aMail, contents } from "@/lib/testing/mails";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { connected, ownerUrl } from "@/lib/testing/own-database";
import { rowsReadBy } from "@/lib/testing/plans";
import { openRail } from "@/lib/testing/rail";
import { aPlan, enrolled, enrolledByCard } from "@/lib/testing/subscriptions";
import { createWebhook } from "@/lib/webhooks/create";
import { WebhookInput } from "@/lib/webhooks/schema";
import { deliveriesOf, deliverOnce, dispatchEvent, happen, receiver } from "@/lib/webhooks/testing";
import { locales } from "@/messages";
import { catalogues } from "@/messages/catalogues";

openRail();

type Customer = { name: string; email: string; document: string; phone: string };

/** A customer of whom nobody else has anything. */
const aCustomer = (): Customer => ({
  name: `Ana ${newId().slice(-8)}`,
  email: `${newId()}@example.com`,
  document: generateCpf(),
  phone: `11${String(Date.now()).slice(-9)}`,
});

const addressOf = ({ email }: Customer) => ({
  ...{ postal_code: "01310-100", street: "Av. Paulista", number: "1000", complement: email },
  ...{ district: "Bela Vista", city: "São Paulo", state: "SP" },
});

const asClient = ({ document: cpf, ...client }: Customer) => ({ ...client, cpf });

const named = (person: string): Person => PersonBody.parse({ person }).person;

/** A paid sale of the customer's with a refund and a delivery whose receiver repeats it, one that is never paid, one by a link, and a subscription by card. */
async function bought(made: Made, customer: Customer) {
  const { account, accountId } = made;
  const echo = await receiver({ status: 200, body: `got ${JSON.stringify(customer)}` });
  await createWebhook(account, WebhookInput.parse({ title: "Loja", url: echo.url, event: "transaction" }), call());
  const sale = async () =>
    (await requestDeposit(account, cashIn({ client: asClient(customer), src: customer.email }), call())).identifier;
  const [paid, unpaid] = [await sale(), await sale()];
  const { end_to_end_id: endToEndId } = await simulatePayment(account, { id: paid, payer: customer }, call());
  await completeDeposit({ provider: "simulator", endToEndId });
  await dispatchEvent(await happen({ accountId, id: paid }, "completed"));
  for (const { id } of await deliveriesOf(accountId)) await deliverOnce({ accountId, deliveryId: id });
  await echo.close();
  await requestRefund(account, { ...RefundBody.parse({ reason: "other", amount: "1.00" }), id: paid }, call());
  const link = await makeLink(made, { collect_address: true });
  await actAs({ kind: "visitor", ip: "203.0.113.9" }, () => payAs(link, { ...customer, address: addressOf(customer) }));
  const plan = await aPlan(made, { billing_method: "credit_card" });
  const { token } = await enrolledByCard(made, plan, undefined, customer);
  await expireOpen(made);
  return { paid, unpaid, token };
}

/** Ends whatever may still be paid. */
async function expireOpen({ account, accountId }: Made) {
  const where = { accountId, status: "pending" } as const;
  const open = await forAccount(accountId, (tx) => tx.transaction.findMany({ where }));
  for (const { id } of open) await expireDeposit(account, { id }, call());
}

const cancel = ({ account }: Made, token: string) =>
  cancelSubscription(account, { id: token, at_period_end: false, reason: null }, call());

/** Leaves no mail to be sent. */
const settleMails = ({ accountId }: Made) =>
  forAccount(accountId, (tx) =>
    tx.mail.updateMany({ where: { accountId }, data: { status: "sent", nextAttemptAt: null } }),
  );

/** Erases all at once: nothing is left to be waited for. */
async function erase(made: Made, person: Person) {
  const { account, accountId } = made;
  await settleMails(made);
  const { data } = await requestErasure(account, { person, askedBy: newId() });
  while ((await listErasures(accountId)).data.some(({ done_at }) => done_at === null)) await erasePeople(accountId);
  return (await listErasures(accountId)).data.find(({ id }) => id === data.id);
}

/** In which columns of which tables of the whole database a text still is. */
const placesWith = (text: string): Promise<string[]> =>
  connected(ownerUrl(), async (owner) => {
    await owner.query("select set_config('app.accounts', '*', false)");
    const { rows: tables } = await owner.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await owner.query<{ column: string }>(
        `select distinct m.key as column from ${name} t, jsonb_each_text(to_jsonb(t)) m where strpos(m.value, $1) > 0`,
        [text],
      );
      found.push(...rows.map(({ column }) => `${name}.${column}`));
    }
    return found.sort();
  });

/** What the simulated PSP and acquirer, companies of their own, keep. */
const ofUs = (places: string[]) => places.filter((place) => !place.startsWith("simulator_"));

test("an erasure leaves of a person who bought only what the law and the rules against fraud keep, in any table", {
  timeout: 60_000,
}, async () => {
  const [made, customer] = [await makeAccount({ available: 10_000 }), aCustomer()];
  const { token, paid, unpaid } = await bought(made, customer);
  await cancel(made, token);
  const before = ofUs(await placesWith(customer.email));
  expect(before).toEqual(
    expect.arrayContaining([
      ...["events.record", "mails.recipient", "transactions.client_email", "transactions.delivery_address"],
    ]),
  );
  const money = () => readMoney(made);
  const balance = await money();

  const done = await erase(made, named(customer.document));

  expect(done?.erased).toEqual({
    ...{ sales_paid: 2, sales_unpaid: 2, subscriptions_ended: 1, subscribers: 1, card_checks: 1 },
    mails: expect.any(Number),
  });
  expect(ofUs(await placesWith(customer.email))).toEqual([]);
  expect(ofUs(await placesWith(customer.phone))).toEqual([]);
  expect(ofUs(await placesWith(customer.document))).toEqual([
    "card_charges.document",
    "transactions.client_document",
    "transactions.payer",
  ]);
  expect(ofUs(await placesWith(customer.name))).toEqual(["transactions.client_name", "transactions.payer"]);
  const sales = await forAccount(made.accountId, (tx) =>
    tx.transaction.findMany({ where: { id: { in: [paid, unpaid] } }, orderBy: { id: "asc" } }),
  );
  expect(sales.map((sale) => [sale.clientName, sale.clientDocument, sale.clientEmail, Number(sale.amount)])).toEqual([
    [customer.name, customer.document, null, 10_000],
    [null, null, null, 10_000],
  ]);
  expect(await money()).toEqual(balance);
});

const readMoney = ({ accountId }: Made) =>
  forAccount(accountId, (tx) =>
    tx.ledgerEntry.aggregate({ where: { accountId }, _sum: { amount: true }, _count: true }),
  );

test("a subscription that runs is kept with its card, and an erasure after its end takes it", async () => {
  const [made, customer] = [await makeAccount(), aCustomer()];
  const { token } = await enrolledByCard(
    made,
    await aPlan(made, { billing_method: "credit_card" }),
    undefined,
    customer,
  );
  const read = () =>
    forAccount(made.accountId, (tx) =>
      tx.subscription.findFirstOrThrow({ where: { id: token }, select: { email: true, storedCardId: true } }),
    );
  await erase(made, named(customer.email));
  expect(await read()).toEqual({ email: customer.email, storedCardId: expect.any(String) });
  await cancel(made, token);
  await erase(made, named(customer.email));
  expect(await read()).toEqual({ email: "—", storedCardId: null });
  expect(await forAccount(made.accountId, (tx) => tx.storedCard.count())).toBe(0);
});

test("another account's records of the same person stay, and so do another person's of the same account", async () => {
  const [made, other, customer, somebody] = [await makeAccount(), await makeAccount(), aCustomer(), aCustomer()];
  await requestDeposit(other.account, cashIn({ client: asClient(customer) }), call());
  await requestDeposit(made.account, cashIn({ client: asClient(customer) }), call());
  const shared = { ...somebody, email: customer.email };
  await requestDeposit(made.account, cashIn({ client: asClient(shared) }), call());
  await expireOpen(made);
  await erase(made, named(customer.document));
  const emails = async ({ accountId }: Made) =>
    (
      await forAccount(accountId, (tx) => tx.transaction.findMany({ where: { accountId }, orderBy: { id: "asc" } }))
    ).map(({ clientEmail }) => clientEmail);
  expect([await emails(made), await emails(other)]).toEqual([[null, customer.email], [customer.email]]);
});

test("what an erasure would do is said before, and it says nothing afterwards but what was kept", async () => {
  const [made, customer] = [await makeAccount({ available: 10_000 }), aCustomer()];
  const { token } = await bought(made, customer);
  await requestDeposit(made.account, cashIn({ client: asClient(customer) }), call());
  const effects = async () =>
    (await readEffects(made.accountId, named(customer.document))).data.map(({ place, found, why }) => [
      place,
      found,
      why,
    ]);
  expect(await effects()).toEqual([
    ["sales_paid", 2, "law"],
    ["sales_unpaid", 2, "nothing"],
    ["sales_open", 1, "open"],
    ["refunds", 1, "law"],
    ["subscriptions_running", 1, "contract"],
    ["subscribers_running", 1, "contract"],
    ["card_checks", 1, "fraud"],
    ["mails", expect.any(Number), "nothing"],
  ]);
  await cancel(made, token);
  await expireOpen(made);
  await erase(made, named(customer.document));
  expect(await effects()).toEqual([
    ["sales_paid", 2, "law"],
    ["refunds", 1, "law"],
    ["card_checks", 1, "fraud"],
  ]);
});

/** A sale of each customer's that is over, and the receipt of it; all of them share the first one's e-mail. */
async function sharedAddress(made: Made, ...customers: (Customer | undefined)[]) {
  const { account, accountId } = made;
  const email = customers[0]?.email ?? "";
  const ids: string[] = [];
  for (const customer of customers) {
    const client = customer ? asClient({ ...customer, email }) : undefined;
    const { identifier: id } = await requestDeposit(account, cashIn({ client }), call());
    if (!client)
      await forAccount(accountId, (tx) => tx.transaction.updateMany({ where: { id }, data: { clientEmail: email } }));
    const receipt = { intent: `link_paid:${id}`, content: contents.link_paid, to: { email, locale: "pt-BR" } as const };
    await transactionFor(accountId, (query) => writeMails(query, [aMail({ accountId, ...receipt })]));
    ids.push(id);
  }
  await expireOpen(made);
  const left = async () => {
    const [sales, mails] = await forAccount(
      accountId,
      async (tx) =>
        [
          await tx.transaction.findMany({ where: { id: { in: ids } }, orderBy: { id: "asc" } }),
          await tx.mail.findMany({
            where: { intent: { in: ids.map((id) => `link_paid:${id}`) } },
            orderBy: { id: "asc" },
          }),
        ] as const,
    );
    return [sales.map(({ clientEmail }) => clientEmail), mails.map(({ recipient }) => recipient)];
  };
  return { email, left };
}

test("of two people with one address, an erasure by document takes the sales and mails of one, and leaves the other's and the team's", async () => {
  const [made, ana, bruno] = [await makeAccount(), aCustomer(), aCustomer()];
  const { email, left } = await sharedAddress(made, ana, bruno);
  const { accountId } = made;
  const invitation = aMail({ accountId, content: contents.team_invited, to: { email, locale: "pt-BR" } });
  await transactionFor(accountId, (query) => writeMails(query, [invitation]));
  await erase(made, named(ana.document));
  expect(await left()).toEqual([
    [null, email],
    ["—", email],
  ]);
  const where = { intent: invitation.intent };
  expect(await forAccount(accountId, (tx) => tx.mail.findFirst({ where }))).toMatchObject({ recipient: email });
});

test("an address that stands beside two documents is nobody's: by it only what has no document is erased, and that is said before", async () => {
  const [made, ana, bruno] = [await makeAccount(), aCustomer(), aCustomer()];
  const { email, left } = await sharedAddress(made, ana, bruno, undefined);
  const effects = await readEffects(made.accountId, named(email));
  expect(effects.data.map(({ place, found, why }) => [place, found, why])).toEqual([
    ["sales_unpaid", 1, "nothing"],
    ["mails", 1, "nothing"],
    ["of_others", 2, "others"],
  ]);
  await erase(made, named(email));
  expect(await left()).toEqual([
    [email, email, null],
    [email, email, "—"],
  ]);
});

test("who buys by the address of a person while they are erased by it keeps what is theirs", async () => {
  const [made, ana, bruno] = [await makeAccount(), aCustomer(), aCustomer()];
  const { email } = await sharedAddress(made, ana);
  await settleMails(made);
  await requestErasure(made.account, { person: named(email), askedBy: newId() });
  const { left } = await sharedAddress(made, { ...bruno, email });
  await settleMails(made);
  while (await erasePeople(made.accountId));
  expect(await left()).toEqual([[email], [email]]);
});

test("what an erasure is said to do it does: of each place as many records as were counted before", async () => {
  const [made, customer] = [await makeAccount({ available: 10_000 }), aCustomer()];
  const { token } = await bought(made, customer);
  await cancel(made, token);
  await bought(made, customer);
  const person = named(customer.document);
  const { data } = await readEffects(made.accountId, person);
  const said = data.flatMap(({ place, found, erases }) => (erases.length > 0 ? [[place, found]] : []));
  expect((await erase(made, person))?.erased).toEqual(Object.fromEntries(said));
  expect(data.map(({ place }) => place)).toContain("subscribers_running");
});

test("a sale that may still be paid keeps who pays it, and the erasure waits for its end; a running subscription's stays with it", async () => {
  const [made, customer] = [await makeAccount(), aCustomer()];
  const { account, accountId } = made;
  const { identifier: id } = await requestDeposit(account, cashIn({ client: asClient(customer) }), call());
  const read = async () => {
    const [erasure] = (await listErasures(accountId)).data;
    const sale = await forAccount(accountId, (tx) => tx.transaction.findFirst({ where: { id } }));
    return [sale?.clientDocument, erasure?.done_at];
  };
  await requestErasure(account, { person: named(customer.document), askedBy: newId() });
  while (await erasePeople(accountId));
  expect(await read()).toEqual([customer.document, null]);
  await expireDeposit(account, { id }, call());
  await forAccount(accountId, (tx) => tx.erasure.updateMany({ where: { accountId }, data: { dueAt: new Date() } }));
  while (await erasePeople(accountId));
  expect(await read()).toEqual([null, expect.any(String)]);

  const other = aCustomer();
  const { token } = await enrolled(made, await aPlan(made), other);
  const done = await erase(made, named(other.document));
  expect(done).toMatchObject({ done_at: expect.any(String), erased: { mails: 1 } });
  const sale = await forAccount(accountId, (tx) => tx.transaction.findFirst({ where: { subscriptionId: token } }));
  expect(sale).toMatchObject({ status: "pending", clientDocument: other.document });
});

test("card checks and mails are erased in batches of a hundred, as sales are", async () => {
  const [{ account, accountId }, { email }] = [await makeAccount(), aCustomer()];
  await transactionFor(accountId, async (query) => {
    const checks = `insert into card_charges (account_id, transaction_id, fingerprint, document, email, ip, device)
      select $1::uuid, new_id(), '', 'x', $2, '', '{}' from generate_series(1, 150)`;
    await query("", checks, [accountId, email]);
    const mails = `insert into mails (id, account_id, intent, template, locale, recipient, status)
      select new_id(), $1::uuid, 'link_paid:' || new_id(), 'link_paid', 'pt-BR', $2, 'sent' from generate_series(1, 150)`;
    await query("", mails, [accountId, email]);
  });
  await requestErasure(account, { person: named(email), askedBy: newId() });
  const seen: object[] = [];
  while ((await listErasures(accountId)).data[0]?.done_at === null) {
    await erasePeople(accountId);
    seen.push((await listErasures(accountId)).data[0]?.erased ?? {});
  }
  expect(seen.slice(0, -1)).toEqual([
    { card_checks: 100 },
    { card_checks: 150 },
    { card_checks: 150, mails: 100 },
    { card_checks: 150, mails: 150 },
  ]);
});

test("a person is found by indexes: among 3,000 subscriptions and card checks of others none is read", async () => {
  const [made, customer] = [await makeAccount(), aCustomer()];
  const { accountId } = made;
  const plan = await aPlan(made);
  await transactionFor(accountId, async (query) => {
    await query(
      "",
      `insert into card_charges (account_id, transaction_id, fingerprint, document, email, ip, device)
      select $1::uuid, new_id(), '', 'd' || n, n || '@example.com', '', '{}' from generate_series(1, 3000) n`,
      [accountId],
    );
    await query(
      "",
      `with people as (
        insert into subscribers (account_id, id, document, name, email, created_at, updated_at)
        select $1::uuid, new_id(), 'd' || n, '', n || '@example.com', now(), now() from generate_series(1, 3000) n
        returning id, document, email
      )
      insert into subscriptions (account_id, id, subscriber_id, plan_id, plan_version, name, email, document, created_at, updated_at)
      select $1::uuid, new_id(), id, $2::uuid, 1, '', email, document, now(), now() from people`,
      [accountId, plan],
    );
  });
  await connected(ownerUrl(), (owner) => owner.query("analyze subscriptions, subscribers, card_charges"));
  for (const person of [customer.email, customer.document].map(named)) {
    for (const table of ["card_charges", "subscriptions", "subscribers"]) {
      const read = () => readEffects(accountId, person);
      expect(await rowsReadBy({ accountId, table, part: "as place" }, read), table).toBeLessThan(10);
    }
  }
});

test("the export has what the account keeps, of this person alone, and the audit says who exported, not of whom", async () => {
  const [made, customer, other] = [await makeAccount({ available: 10_000 }), aCustomer(), aCustomer()];
  await bought(made, customer);
  await requestDeposit(made.account, cashIn({ client: asClient(other) }), call());
  let text = "";
  for await (const piece of await exportPerson(made.account, { person: named(customer.document) })) text += piece;
  const file = JSON.parse(text);
  const { sales, subscribers, subscriptions, card_checks, mails } = file;
  expect([sales.length, subscribers.length, subscriptions.length, card_checks.length]).toEqual([4, 1, 1, 1]);
  expect(mails.length).toBeGreaterThan(0);
  expect(sales[0]).toMatchObject({ client_email: customer.email, refunds: [{ amount: 100 }] });
  expect(sales[0].deliveries.length).toBeGreaterThan(0);
  expect(subscriptions[0]).toMatchObject({ card: { last4: "1111" } });
  expect(text).not.toContain(other.document);
  expect(text).not.toContain(made.accountId);
  const [event] = await forAccount(made.accountId, (tx) => tx.event.findMany({ where: { subject: "customer_data" } }));
  expect(event).toMatchObject({ type: "customer_data.exported", record: { by: "document" } });
});

test("an export goes on after each batch: of 450 sales it has every one once", async () => {
  const [made, customer] = [await makeAccount(), aCustomer()];
  await requestDeposit(made.account, cashIn({ client: asClient(customer) }), call());
  await transactionFor(made.accountId, (query) =>
    query(
      "",
      `insert into transactions (id, account_id, method, status, amount, fee, net, client_email, created_at, updated_at)
      select new_id(), $1::uuid, 'pix', 'expired', 100, 0, 100, $2, now(), now() from generate_series(1, 449)`,
      [made.accountId, customer.email],
    ),
  );
  let text = "";
  for await (const piece of await exportPerson(made.account, { person: named(customer.email) })) text += piece;
  const ids = (JSON.parse(text).sales as { id: string }[]).map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([450, 450]);
  await expireOpen(made);
  const erased = async () => Object.values((await listErasures(made.accountId)).data[0]?.erased ?? {})[0] ?? 0;
  await settleMails(made);
  await requestErasure(made.account, { person: named(customer.email), askedBy: newId() });
  for (const done of [100, 200, 300, 400, 450]) {
    await erasePeople(made.accountId);
    expect(await erased()).toBe(done);
  }
});

test("the program can redact an event and nothing else: it may not change one, nor say what it holds, nor reach another account's", async () => {
  const [mine, theirs] = [await makeAccount(), await makeAccount()];
  const { identifier } = await requestDeposit(theirs.account, cashIn({ client: asClient(aCustomer()) }), call());
  const where = { accountId: theirs.accountId, subjectId: identifier };
  const event = await forAccount(theirs.accountId, (tx) => tx.event.findFirstOrThrow({ where }));
  const redact = (scope: string, account: string) =>
    transactionFor(scope, (query) => query("", "select redact_events($1::uuid, $2::uuid[])", [account, [event.id]]));
  await expect(redact(mine.accountId, theirs.accountId)).rejects.toThrow(/not in scope/);
  await expect(
    forAccount(theirs.accountId, (tx) => tx.$executeRaw`update events set data = '{}' where id = ${event.id}::uuid`),
  ).rejects.toThrow(/permission denied/);
  await redact(theirs.accountId, theirs.accountId);
  const after = await forAccount(theirs.accountId, (tx) => tx.event.findFirstOrThrow({ where }));
  const { client_name, client_email, client_document, client_phone, ...rest } = event.record as Record<string, string>;
  expect([client_name, client_email, client_document, client_phone].every(Boolean)).toBe(true);
  expect(after).toEqual({ ...event, record: rest, redactedBy: expect.any(String) });
});

test.each(["123", "ana@", "", "529.982.247-26"])("%j names nobody", (person) => {
  expect(PersonBody.safeParse({ person }).success).toBe(false);
});

test("an erasure waits for a mail to the person that is still to be sent, and takes its address then", async () => {
  const [made, customer] = [await makeAccount(), aCustomer()];
  const { accountId } = made;
  await enrolledByCard(made, await aPlan(made, { billing_method: "credit_card" }), undefined, customer);
  await requestErasure(made.account, { person: named(customer.email), askedBy: newId() });
  while (await erasePeople(accountId));
  const read = async () => (await listErasures(accountId)).data.map(({ done_at }) => done_at);
  expect(await read()).toEqual([null]);
  await forAccount(accountId, (tx) => tx.mail.updateMany({ where: { accountId }, data: { nextAttemptAt: null } }));
  await forAccount(accountId, (tx) => tx.erasure.updateMany({ where: { accountId }, data: { dueAt: new Date() } }));
  while (await erasePeople(accountId));
  expect(await read()).toEqual([expect.any(String)]);
  expect(await forAccount(accountId, (tx) => tx.mail.count({ where: { recipient: customer.email } }))).toBe(0);
});

test("an erasure that is done keeps nothing of whom it was about", async () => {
  const [made, customer] = [await makeAccount(), aCustomer()];
  await erase(made, named(customer.email));
  const [row] = await runPrepared<{ sealed_person: Buffer | null }>(
    "",
    `with scope as materialized (select set_config('app.accounts', '*', true))
    select e.sealed_person from scope, erasures e where e.account_id = $1::uuid`,
    [made.accountId],
  );
  expect(row).toEqual({ sealed_person: null });
});

test("who paid what belonged to no open sale is told and exported, and kept as evidence of the payment", async () => {
  const made = await makeAccount();
  const customer = aCustomer();
  const { identifier: id } = await requestDeposit(made.account, cashIn(), call());
  const payer = { name: customer.name, document: customer.document };
  const { end_to_end_id: endToEndId } = await simulatePayment(made.account, { id, amount: 700, payer }, call());
  await completeDeposit({ provider: "simulator", endToEndId });
  const { data } = await readEffects(made.accountId, named(customer.document));
  expect(data).toMatchObject([{ place: "unmatched", found: 1, why: "law", erases: [] }]);
  let text = "";
  for await (const part of await exportPerson(made.account, { person: named(customer.document) })) text += part;
  expect(JSON.parse(text).unmatched).toMatchObject([{ amount: 700, payer, sale_id: id }]);
});

test("what an erasure keeps has words in every language, also a dispute's defence and its files", () => {
  expect(places.disputes).toMatchObject({ erases: [], keeps: expect.arrayContaining(["defence", "files"]) });
  const members = Object.values(places).flatMap(({ erases, keeps }) => [...erases, ...keeps]);
  for (const locale of locales) {
    const words = catalogues[locale].customerData.members as Record<string, string>;
    expect(members.filter((member) => !words[member])).toEqual([]);
  }
});
