import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actAs } from "@/lib/actor";
import { chargeCard } from "@/lib/charges/charge";
import { ChargeBody } from "@/lib/charges/schema";
import { asSystem, forAccount, prisma, transactionOverAll } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { requestDeposit } from "@/lib/deposits/request";
import { simulatePayment } from "@/lib/deposits/simulate";
import { env } from "@/lib/env";
import { eventsConsumer, type Happened } from "@/lib/events/consume";
import { newId } from "@/lib/ids";
import type { MailContent } from "@/lib/mail/templates";
import { finishCall } from "@/lib/outside/calls";
import { refundCall } from "@/lib/refunds/call";
import { cancelRefund } from "@/lib/refunds/cancel";
import { mailRefunds } from "@/lib/refunds/mail-refunds";
import { idOfCode } from "@/lib/refunds/record";
import { rejectRefund } from "@/lib/refunds/reject";
import { requestRefund } from "@/lib/refunds/request";
import { type Refund, RefundBody } from "@/lib/refunds/schema";
import { simulateRefund } from "@/lib/refunds/simulate";
import { makeLink, payAs, settleAs } from "@/lib/testing/checkout";
import { serveCielo } from "@/lib/testing/cielo";
import { lettersTo } from "@/lib/testing/mails";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { openRail } from "@/lib/testing/rail";
import { anOrder, aToken } from "@/lib/testing/shop";
import { allStaffRoles } from "@/lib/testing/staff";
import { advance, anActive, aPlan, nowOf, shown, timelineOf } from "@/lib/testing/subscriptions";
import { localTime } from "@/lib/time/calendar";

openRail();
/** The consumers take the events of all accounts, and the staff is written to of any. */
let drop: () => Promise<void>;
let cielo: Awaited<ReturnType<typeof serveCielo>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  cielo = await serveCielo();
});
afterAll(async () => {
  await cielo.close();
  await drop();
});

const FEE = 150;
const STAFF = { kind: "staff", id: newId() } as const;

async function aSeller(overrides: Parameters<typeof makeAccount>[0] = {}): Promise<Made> {
  const made = await makeAccount({ available: 100_000, ...overrides });
  await forAccount(made.accountId, (tx) =>
    tx.account.update({ where: { id: made.accountId }, data: { refundFee: FEE } }),
  );
  return made;
}

/** A paid Pix sale of R$ 100.00 by the API. */
async function aSale({ account }: Made, overrides: Parameters<typeof cashIn>[0] = {}): Promise<string> {
  const { identifier } = await requestDeposit(account, cashIn(overrides), call());
  const { end_to_end_id: endToEndId } = await simulatePayment(account, { id: identifier }, call());
  await completeDeposit({ provider: "simulator", endToEndId });
  return identifier;
}

const ask = async (made: Made, id: string, overrides: object = {}) => {
  const body = RefundBody.parse({ reason: "product_not_delivered", ...overrides });
  return (await requestRefund((await nowOf(made)).account, { ...body, id }, call())).data;
};

const askBy = (made: Made, actor: Parameters<typeof actAs>[0], sale: string, overrides: object = {}) =>
  actAs(actor, () => ask(made, sale, overrides));

/** The simulated provider sends the money back, or does not. */
async function end(made: Made, { code }: Refund, isCompleted = true) {
  const { account, accountId } = await nowOf(made);
  await simulateRefund(account, { code, isCompleted }, call());
  const answer = isCompleted
    ? ({ status: "completed", returnId: `D${"0".repeat(31)}` } as const)
    : ({ status: "failed", reason: "AC03" } as const);
  await finishCall(refundCall, { accountId, id: idOfCode(code) ?? "" }, answer);
}

const reject = ({ accountId }: Made, { code }: Refund, reason = "Faltou o comprovante de envio.") =>
  actAs(STAFF, () => rejectRefund({ accountId, code, category: "outside_policy", reason }, call()));

const consumers = [1, 2].map(() => eventsConsumer({ refund_mails: mailRefunds }));

/** Two processes consume all events at once, and then the account's come once more, twice at once. */
async function consumeAll({ accountId }: Made) {
  const ids = await asSystem((tx) => tx.outbox.findMany({ where: { accountId }, select: { eventId: true } }));
  const where = { accountId, id: { in: ids.map(({ eventId }) => eventId) } };
  const events = await forAccount(accountId, (tx) => tx.event.findMany({ where, orderBy: { id: "asc" } }));
  for (let isMore = true; isMore; ) {
    const more = await Promise.all(consumers.flatMap(({ consume, catchUp }) => [consume(), catchUp()]));
    isMore = more.some(Boolean) || (await waiting()) > 0;
  }
  const again = () => transactionOverAll((query) => mailRefunds(query, events as Happened[]));
  await Promise.all([again(), again()]);
}

const waiting = () =>
  asSystem(
    async (tx) =>
      (await tx.outbox.count()) + (await tx.outboxOfConsumer.count({ where: { consumer: "refund_mails" } })),
  );

const lettersOf = async (email: string, ...templates: MailContent["template"][]) =>
  (await lettersTo(email)).filter(({ template }) => templates.includes(template));

const anAddress = () => `${newId()}@example.com`;

describe("who paid is written to when the money went back, once", () => {
  test("of each part of a payment by a link, with the receipt", async () => {
    const made = await aSeller();
    const token = await makeLink(made, { description: "Caderno de capa dura" });
    const email = anAddress();
    const { payment } = (await payAs(token, { email })).data;
    await settleAs(made, payment);
    const part = await ask(made, payment, { amount: "40.00" });
    await consumeAll(made);
    expect(await lettersOf(email, "payer_refunded"), "nothing went back yet").toEqual([]);
    await end(made, part);
    await consumeAll(made);
    const letter = {
      ...{ locale: "pt-BR", template: "payer_refunded", seller: made.account.name, name: "Zélia Prado" },
      ...{ what: "Caderno de capa dura", amount: 4_000, paid: 13_200, at: expect.any(String) },
      ...{ method: "pix", last4: null, url: `${env.APP_URL}/checkout/${token}?payment=${payment}` },
    };
    expect(await lettersOf(email, "payer_refunded")).toEqual([letter]);
    await end(made, await ask(made, payment));
    await consumeAll(made);
    expect(await lettersOf(email, "payer_refunded")).toEqual([letter, { ...letter, amount: 9_200 }]);
  });

  test("of a card with its last four digits, and of a sale by the API without a receipt's page", async () => {
    const made = await aSeller();
    const email = anAddress();
    const order = anOrder(await aToken(made));
    const sale = await chargeCard(
      made.account,
      ChargeBody.parse({ ...order, client: { ...order.client, email } }),
      call(),
    );
    await end(made, await ask(made, sale.identifier));
    await consumeAll(made);
    const method = { method: "card", last4: "1111", url: null };
    expect(await lettersOf(email, "payer_refunded")).toMatchObject([{ amount: 10_000, paid: 10_000, ...method }]);
  });

  test("of a subscription at the subscription's e-mail, with its receipt", async () => {
    const made = await aSeller();
    const [plan, email] = [await aPlan(made), anAddress()];
    const token = await anActive(made, plan, { email });
    const sale = (await shown(made, token)).charges[0]?.payment.identifier ?? "";
    await end(made, await ask(made, sale));
    await consumeAll(made);
    const url = `${env.APP_URL}/checkout/${plan}?payment=${sale}`;
    expect(await lettersOf(email, "payer_refunded")).toMatchObject([{ amount: 4_990, paid: 4_990, url }]);
  });

  test("and nobody where no e-mail is known, nor of a refund that did not move money", async () => {
    const made = await aSeller();
    await end(made, await ask(made, await aSale(made, { client: undefined })));
    const email = anAddress();
    const client = { name: "Zélia Prado", cpf: "52998224725", email, phone: "11987654321" };
    const sale = await aSale(made, { client });
    await reject(made, await ask(made, sale));
    await end(made, await ask(made, sale), false);
    await cancelRefund(made.account, await ask(made, sale), call());
    await consumeAll(made);
    const where = { accountId: made.accountId, template: "payer_refunded" };
    expect(await asSystem((tx) => tx.mail.count({ where }))).toBe(0);
  });
});

describe("a seller is written to", () => {
  const ends = ["refund_rejected", "refund_failed", "refund_completed"] as const;

  test("how each refund ended, with why it was refused, and not what the seller took back", async () => {
    const made = await aSeller();
    const sale = await aSale(made, { description: "Caderno de capa dura", client: undefined });
    const refused = await ask(made, sale);
    await reject(made, refused);
    const failed = await ask(made, sale, { amount: "40.00" });
    await end(made, failed, false);
    await cancelRefund(made.account, await ask(made, sale), call());
    const completed = await ask(made, sale, { amount: "30.00" });
    await end(made, completed);
    await consumeAll(made);
    const about = ({ code }: Refund, amount: number) => ({
      ...{ locale: "pt-BR", name: null, what: "Caderno de capa dura", amount },
      url: `${env.APP_URL}/${made.accountId}/refunds/${code}`,
    });
    const why = { category: "outside_policy", reason: "Faltou o comprovante de envio." };
    expect(await lettersOf(made.email, ...ends)).toEqual([
      { template: "refund_rejected", ...about(refused, 10_000), ...why },
      { template: "refund_failed", ...about(failed, 4_000) },
      { template: "refund_completed", ...about(completed, 3_000), fee: FEE, method: "pix" },
    ]);
    const items = (await timelineOf(made, "transaction", sale)).filter(({ kind }) => kind === "mail");
    expect(items.map(({ title, detail }) => [title, detail])).toEqual(
      [...ends].reverse().map((template) => [template, made.email]),
    );
  });

  test("once a local day when others asked for refunds, however many, and of none that it asked for itself", async () => {
    const made = await aSeller();
    const { userId } = await prisma().membership.findFirstOrThrow({ where: { sandboxId: made.accountId } });
    await askBy(made, { kind: "person", id: userId }, await aSale(made));
    await consumeAll(made);
    expect(await lettersOf(made.email, "refund_requests_of_day")).toEqual([]);

    const program = { kind: "credential", id: made.clientId } as const;
    const first = await askBy(made, program, await aSale(made), { amount: "40.00" });
    await consumeAll(made);
    const letter = {
      ...{ locale: "pt-BR", template: "refund_requests_of_day", count: 1, amount: 4_000 },
      ...{ by: "credential", who: "Teste", day: localTime(new Date()).slice(0, 10) },
      url: `${env.APP_URL}/${made.accountId}/refunds/${first.code}`,
    };
    expect(await lettersOf(made.email, "refund_requests_of_day")).toEqual([letter]);

    const colleague = newId();
    const person = { id: colleague, email: anAddress(), name: "Caio Reis", passwordHash: "none" };
    await prisma().user.create({ data: person });
    const sales = [await aSale(made), await aSale(made)];
    await advance(made, 1);
    for (const sale of sales) await askBy(made, { kind: "person", id: colleague }, sale, { amount: "1.00" });
    await consumeAll(made);
    const [, next, ...more] = await lettersOf(made.email, "refund_requests_of_day");
    expect(more).toEqual([]);
    expect(next).toMatchObject({ by: "person", who: "Caio Reis", amount: 100 });
    expect(next).not.toMatchObject({ day: letter.day });
  });

  test("of a crowd of requests at once by one mail with their number and the way to the list", async () => {
    const made = await aSeller();
    const sales: string[] = [];
    for (let nth = 0; nth < 8; nth += 1) sales.push(await aSale(made));
    for (const sale of sales) await askBy(made, { kind: "credential", id: made.clientId }, sale);
    const events = await forAccount(made.accountId, (tx) => tx.event.findMany({ where: { subject: "refund" } }));
    await transactionOverAll((query) => mailRefunds(query, events as Happened[]));
    await consumeAll(made);
    const url = `${env.APP_URL}/${made.accountId}/refunds?status=pending`;
    expect(await lettersOf(made.email, "refund_requests_of_day")).toMatchObject([{ count: 8, url }]);
  });
});

describe("the operator's staff is written to", () => {
  const aStaffPerson = async () => {
    const id = newId();
    const person = {
      id,
      email: `${id}@example.com`,
      name: "Olga Prado",
      passwordHash: "none",
      staffRoles: allStaffRoles,
      emailConfirmedAt: new Date(),
    };
    await prisma().user.create({ data: { ...person, locale: "en" } });
    return person.email;
  };

  /** A refund of a live card sale. */
  const askLive = async (made: Made) => {
    const order = ChargeBody.parse(anOrder(await aToken(made)));
    return ask(made, (await chargeCard(made.account, order, call())).identifier);
  };

  test("when a refund waits, once while others wait with it, and again when the queue was empty; never of a sandbox", async () => {
    const [email, other] = [await aStaffPerson(), await aStaffPerson()];
    const sandbox = await aSeller();
    await ask(sandbox, await aSale(sandbox));
    await consumeAll(sandbox);
    expect(await lettersTo(email)).toEqual([]);

    const made = await aSeller({ mode: "live" });
    const first = await askLive(made);
    await consumeAll(made);
    const letter = {
      ...{ locale: "en", template: "refund_waiting", seller: made.account.name, amount: 10_000 },
      ...{ at: first.requested_at, url: `${env.APP_URL}/operator/refunds` },
    };
    for (const one of [email, other]) expect(await lettersTo(one)).toEqual([letter]);

    const second = await askLive(made);
    await consumeAll(made);
    await reject(made, first);
    const third = await askLive(made);
    await consumeAll(made);
    expect(await lettersTo(email), "whoever decided about the first saw the second").toEqual([letter]);
    for (const one of [second, third]) await reject(made, one);
    await reject(made, await askLive(made));
    await consumeAll(made);
    expect(await lettersTo(email), "of a seller once a day").toEqual([letter]);
    const another = await aSeller({ mode: "live" });
    const theirs = await askLive(another);
    await consumeAll(another);
    const next = { ...letter, seller: another.account.name, at: theirs.requested_at };
    for (const one of [email, other]) expect(await lettersTo(one)).toEqual([letter, next]);
    await reject(another, theirs);
    await consumeAll(another);
  });

  test("also where the refund that waited first was taken back before its event was consumed", async () => {
    const email = await aStaffPerson();
    const made = await aSeller({ mode: "live" });
    const [first, second] = [await askLive(made), await askLive(made)];
    const of = ({ code }: Refund) =>
      forAccount(made.accountId, (tx) => tx.event.findMany({ where: { subjectId: idOfCode(code) ?? "" }, take: 1 }));
    const consume = async (refund: Refund) => {
      const events = (await of(refund)) as Happened[];
      await transactionOverAll((query) => mailRefunds(query, events));
    };
    await consume(second);
    expect(await lettersTo(email)).toEqual([]);
    await cancelRefund(made.account, first, call());
    await consume(first);
    expect(await lettersTo(email)).toMatchObject([{ template: "refund_waiting", at: second.requested_at }]);
  });
});
