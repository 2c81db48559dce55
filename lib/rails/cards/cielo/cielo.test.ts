import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { timeouts } from "@/lib/outside/http-client";
import { brands } from "@/lib/pan/brands";
import { declineReasons } from "@/lib/rails/cards/abecs";
import { cielo } from "@/lib/rails/cards/cielo/adapter";
import { ownReasons } from "@/lib/rails/cards/cielo/reasons";
import { AUTHORISED, type Sale, serveCielo } from "@/lib/testing/cielo";
import { freePort } from "@/lib/testing/program";
import { catalogues } from "@/messages/catalogues";

let stand: Awaited<ReturnType<typeof serveCielo>>;
beforeAll(async () => {
  stand = await serveCielo();
});
afterAll(() => stand.close());

const usual = { ...timeouts };
afterEach(() => {
  Object.assign(timeouts, usual);
  stand.instead = undefined;
  stand.sent.length = 0;
});

const CARD = {
  number: "4111111111111111",
  holder_name: "ANA CANARIO",
  expiry_month: "11",
  expiry_year: "2087",
  cvv: "9371",
};
/** Traces of the card and of the key. They are whole words, because an id may contain the digits by chance. */
const TRACES = [/4111111111111111/, /\b411111/, /CANARIO/, /\b9371\b/, /CANARYKEY/];

type Charge = Parameters<typeof cielo.charge>[0];
const chargeOf = (changes: Partial<Charge> = {}): Charge => ({
  id: newId(),
  amount: 1_999,
  installments: 3,
  card: CARD,
  brand: "visa",
  softDescriptor: "Padaria São João",
  ...changes,
});

/** What is found of a charge whose sale still waits for it. */
const find = ({ id, amount }: Charge) => cielo.find({ id, amount, isWanted: true });

const orderOf = ({ id }: Charge) => id.replaceAll("-", "");

/** The requests that a charge sent to Cielo. */
async function sentBy(changes: Partial<Charge> = {}) {
  stand.sent.length = 0;
  await cielo.charge(chargeOf(changes));
  return JSON.parse(stand.sent[0]?.body ?? "{}");
}

/** Adds a sale to those that Cielo answers about. */
function addSale(charge: Charge, payment: Partial<Sale["Payment"]>) {
  const Payment = { PaymentId: newId(), Status: 2, Amount: charge.amount, ...payment };
  stand.sold.push({ MerchantOrderId: orderOf(charge), Payment });
}

/** The error of a promise that must fail, and that must show nothing of the card or the key. */
async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    (value) => Promise.reject(new Error(`It did not fail: ${inspect(value)}`)),
    (thrown: Error) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  const shown = inspect(error, { depth: 20, showHidden: true }) + error.stack;
  for (const trace of TRACES) expect(shown).not.toMatch(trace);
  return error.message;
}

describe("a charge sends to Cielo", () => {
  test("one sale, captured at once, in cents, under our id without hyphens, with the store's credentials", async () => {
    const charge = chargeOf();
    expect(await cielo.charge(charge)).toEqual({ status: "approved" });
    const [{ method, path, headers, body } = { body: "" }, ...rest] = stand.sent;
    expect(rest).toEqual([]);
    expect([method, path]).toEqual(["POST", "/1/sales"]);
    const { CIELO_MERCHANT_ID: merchantid, CIELO_MERCHANT_KEY: merchantkey } = env;
    expect(headers).toMatchObject({
      merchantid,
      merchantkey,
      requestid: charge.id,
      "content-type": "application/json",
    });
    expect(JSON.parse(body)).toEqual({
      MerchantOrderId: orderOf(charge),
      Customer: { Name: "ANA CANARIO" },
      Payment: {
        Type: "CreditCard",
        Amount: 1_999,
        Currency: "BRL",
        Country: "BRA",
        Installments: 3,
        Interest: "ByMerchant",
        Capture: true,
        SoftDescriptor: "PadariaSaoJoa",
        CreditCard: {
          CardNumber: CARD.number,
          Holder: "ANA CANARIO",
          ExpirationDate: "11/2087",
          SecurityCode: "9371",
          Brand: "Visa",
        },
      },
    });
  });

  test("no security code for a card on file", async () => {
    const { Payment } = await sentBy({ card: { ...CARD, cvv: undefined } });
    expect(Object.keys(Payment.CreditCard)).not.toContain("SecurityCode");
  });

  test.each([
    ["JOSÉ D'ÁVILA-NUNES", "JOSE D AVILA NUNES"],
    ["MARIA APARECIDA DOS SANTOS FILHA", "MARIA APARECIDA DOS SANTO"],
    ["J. R. R. 3º", "J R R o"],
    ["王小明", "NAO INFORMADO"],
  ])("the holder %s as %s: 1 to 25 letters and spaces", async (holder_name, sent) => {
    const { Customer, Payment } = await sentBy({ card: { ...CARD, holder_name } });
    expect([Customer.Name, Payment.CreditCard.Holder]).toEqual([sent, sent]);
  });

  test.each([
    ["Açaí & Cia. 24h", "AcaiCia24h"],
    ["Ação Nº 1 do Bairro Alto", "AcaoNo1doBair"],
    ["店", ""],
  ])("the statement's name %s as %s", async (softDescriptor, sent) => {
    expect((await sentBy({ softDescriptor })).Payment.SoftDescriptor).toBe(sent);
  });

  test("each brand by Cielo's name; a brand that Cielo does not accept is refused without asking", async () => {
    const names: Record<string, string> = {};
    for (const brand of brands) {
      stand.sent.length = 0;
      const outcome = await cielo.charge(chargeOf({ brand }));
      if (stand.sent[0]) names[brand] = JSON.parse(stand.sent[0].body).Payment.CreditCard.Brand;
      else expect(outcome, brand).toEqual({ status: "refused", reason: "brand_not_accepted", isHard: true });
    }
    expect(names).toEqual({
      elo: "Elo",
      aura: "Aura",
      amex: "Amex",
      diners: "Diners",
      discover: "Discover",
      jcb: "JCB",
      mastercard: "Master",
      visa: "Visa",
    });
  });

  test("a mark for a card on file where its brand has one, and for Mastercard a second one", async () => {
    const first = { Usage: "First" };
    const later = { Usage: "Used", Reason: "Unscheduled" };
    const by = (Category: string, Subcategory = "CredentialsOnFile") => ({ Category, Subcategory });
    for (const [brand, onFile, card, sale] of [
      ["visa", "first", first, undefined],
      ["elo", "later", later, undefined],
      ["mastercard", "first", first, by("C1")],
      ["mastercard", "later", later, by("M1")],
      ["mastercard", undefined, undefined, undefined],
      ["amex", "first", undefined, undefined],
      ["visa", "first_recurring", { Usage: "First", Reason: "Recurring" }, undefined],
      ["mastercard", "first_recurring", { Usage: "First", Reason: "Recurring" }, by("C1", "Subscription")],
      ["mastercard", "recurring", { Usage: "Used", Reason: "Recurring" }, by("M1", "Subscription")],
      ["mastercard", "replaced", { Usage: "First", Reason: "Recurring" }, by("M1", "Subscription")],
    ] as const) {
      const { Payment } = await sentBy({ brand, onFile });
      expect([Payment.CreditCard.CardOnFile, Payment.InitiatedTransactionIndicator], brand).toEqual([card, sale]);
    }
  });
});

describe("what Cielo answers", () => {
  const refused = (reason: string, isHard = false) => ({ status: "refused", reason, isHard });
  const statuses: [number, object | null][] = [
    [2, { status: "approved" }],
    [3, refused("insufficient_funds")],
    [13, refused("insufficient_funds")],
    [10, refused("voided")],
    [11, refused("voided")],
    ...[0, 12, 20, 4, 99].map((status): [number, null] => [status, null]),
  ];

  test.each(statuses)(
    "status %i means the same at once and later: %j; where nothing, it is unknown",
    async (...row) => {
      const [Status, outcome] = row;
      const charge = chargeOf();
      addSale(charge, { Status, ReturnCode: "51" });
      stand.instead = (response) => response.writeHead(201).end(JSON.stringify(stand.sold.at(-1)));
      const atOnce = cielo.charge(charge);
      if (outcome) expect(await atOnce).toEqual(outcome);
      else expect(await failureOf(atOnce)).toContain(`status ${Status}`);
      stand.instead = undefined;
      if (outcome) expect(await find(charge)).toEqual(outcome);
      else expect(await failureOf(find(charge))).toContain(`status ${Status}`);
    },
  );

  const [SOFT, HARD] = [false, true];
  test.each<[brand: string | undefined, code: unknown, reason: string, isHard: boolean]>([
    ["Visa", "05", "do_not_honor", SOFT],
    ["Elo", "5", "do_not_honor", SOFT],
    ["Amex", "FA", "do_not_honor", SOFT],
    ["Master", "51", "insufficient_funds", SOFT],
    ["Visa", "54", "expired_card", HARD],
    ["Amex", "BV", "expired_card", HARD],
    ["Visa", "N7", "invalid_cvv", HARD],
    ["Visa", "41", "stolen_card", HARD],
    ["Elo", "43", "stolen_card", HARD],
    ["Visa", "91", "processing_error", SOFT],
    ["Visa", "62", "card_blocked", SOFT],
    ["Elo", "FM", "not_permitted", HARD],
    ["Visa", "R1", "recurring_stopped", HARD],
    // One number that means other things by brand.
    ["Elo", "04", "processing_error", SOFT],
    ["Visa", "04", "card_blocked", HARD],
    ["Visa", "63", "invalid_cvv", HARD],
    ["Master", "63", "suspected_fraud", SOFT],
    ["Elo", "58", "invalid_transaction", HARD],
    ["Visa", "58", "not_permitted", HARD],
    // Several meanings at one brand: the stricter one decides.
    ["Master", "57", "not_permitted", HARD],
    ["Master", "62", "closed_account", HARD],
    ["Elo", "62", "card_blocked", HARD],
    ["Amex", "116", "insufficient_funds", HARD],
    ["Amex", "A5", "insufficient_funds", SOFT],
    // Of a brand that the table does not list, or that is not told, any brand's meaning counts.
    ["JCB", "57", "not_permitted", HARD],
    [undefined, "04", "card_blocked", HARD],
    [undefined, "51", "insufficient_funds", SOFT],
    // Cielo's own.
    ["Visa", "99", "processing_error", SOFT],
    ["Elo", 99, "processing_error", SOFT],
    ["Visa", "AA", "processing_error", SOFT],
    ["Visa", "67", "card_blocked", SOFT],
    ["Visa", "70", "unknown", SOFT],
    ["Visa", "", "unknown", SOFT],
    ["Visa", "constructor", "unknown", SOFT],
    ["constructor", "51", "insufficient_funds", SOFT],
    ["Visa", null, "unknown", SOFT],
    ["Visa", undefined, "unknown", SOFT],
    ["Visa", { "4111111111111111": 1 }, "unknown", SOFT],
  ])("a card of %s that is refused with %j: %s, hard %s", async (Brand, ReturnCode, reason, isHard) => {
    const charge = chargeOf();
    addSale(charge, { Status: 3, ReturnCode, ...(Brand && { CreditCard: { Brand } }) });
    expect(await find(charge)).toEqual(refused(reason, isHard));
  });

  test.each<[brand: string, code: string, advice: unknown, isHard: boolean]>([
    ["Master", "82", "03", HARD],
    ["Master", "82", "02", SOFT],
    ["Master", "79", "24", SOFT],
    ["Master", "83", "", HARD],
    ["Master", "83", 2, HARD],
    ["Master", "51", "21", HARD],
    ["Master", "51", "24", SOFT],
    ["Master", "54", "01", HARD],
    ["Visa", "51", "03", SOFT],
  ])("a card of %s that is refused with %s and the advice %j: hard %s", async (Brand, ReturnCode, advice, isHard) => {
    const charge = chargeOf();
    addSale(charge, { Status: 3, ReturnCode, MerchantAdviceCode: advice, CreditCard: { Brand } });
    expect(await find(charge)).toMatchObject({ status: "refused", isHard });
  });

  test("every reason of a refusal has its words in both languages", () => {
    const own = ["brand_not_accepted", "voided", "not_captured", "card_not_kept", "unknown"];
    for (const { refusals } of [catalogues.en, catalogues["pt-BR"]])
      expect(Object.keys(refusals)).toEqual(expect.arrayContaining([...declineReasons, ...ownReasons, ...own]));
  });

  test("of several payments under our id an approved one decides, and then an undecided one", async () => {
    for (const [decided, ...others] of [
      [{ status: "approved" }, 3, 0, 2, 10],
      [null, 3, 12, 10],
      [refused("unknown"), 3, 3],
    ] as const) {
      const charge = chargeOf();
      for (const Status of others) addSale(charge, { Status });
      if (decided) expect(await find(charge)).toEqual(decided);
      else await failureOf(find(charge));
    }
  });

  test("another amount, or another amount captured, is no outcome of our charge", async () => {
    const charge = chargeOf();
    for (const Payment of [
      { Status: 2, Amount: 2_000, CapturedAmount: 2_000 },
      { Status: 2, Amount: 1_999, CapturedAmount: 1_000 },
      { Status: 3, Amount: 1 },
    ]) {
      const answer = JSON.stringify({ MerchantOrderId: orderOf(charge), Payment });
      stand.instead = (response) => response.writeHead(201).end(answer);
      expect(await failureOf(cielo.charge(charge))).toContain("another amount");
    }
    stand.instead = undefined;
    for (const payment of [{ CapturedAmount: 1_000 }, { Amount: 2_000, CapturedAmount: 2_000 }]) {
      const other = chargeOf();
      addSale(other, payment);
      expect(await failureOf(find(other))).toContain("another amount");
    }
  });
});

describe("money that Cielo holds and has not taken", () => {
  afterEach(() => {
    stand.atCapture = undefined;
    stand.atVoid = undefined;
  });
  const voided = { status: "refused", reason: "voided", isHard: false };

  /** A charge that Cielo only authorised, and its payment. */
  async function held() {
    const charge = chargeOf({ card: { ...CARD, number: AUTHORISED } });
    expect(await failureOf(cielo.charge(charge))).toContain("status 1");
    stand.sent.length = 0;
    return { charge, payment: (stand.sold.at(-1) as Sale).Payment };
  }
  const puts = () => stand.sent.filter(({ method }) => method === "PUT").map(({ path }) => path);
  const unwanted = ({ id, amount }: Charge) => cielo.find({ id, amount, isWanted: false });

  test("is captured once, whole, where its sale still waits for it", async () => {
    const { charge, payment } = await held();
    expect(await find(charge)).toEqual({ status: "approved" });
    expect(await find(charge)).toEqual({ status: "approved" });
    expect(puts()).toEqual([`/1/sales/${payment.PaymentId}/capture`]);
    expect(payment).toMatchObject({ Status: 2, CapturedAmount: 1_999 });
  });

  test("is captured also where the capture's answer is lost, or a capture was made meanwhile", async () => {
    for (const atCapture of ["is not answered", 841] as const) {
      const { charge, payment } = await held();
      stand.atCapture = atCapture;
      if (atCapture === 841) {
        await failureOf(find(charge));
        payment.Status = 2;
      } else await failureOf(find(charge));
      expect(await find(charge)).toEqual({ status: "approved" });
      expect(puts()).toHaveLength(1);
      stand.atCapture = undefined;
    }
  });

  test("stays undecided, and is asked for again, where no capture was made", async () => {
    for (const atCapture of ["is lost", 999] as const) {
      const { charge, payment } = await held();
      stand.atCapture = atCapture;
      await failureOf(find(charge));
      expect(payment.Status).toBe(1);
      stand.atCapture = undefined;
      expect(await find(charge)).toEqual({ status: "approved" });
    }
  });

  test("is refused where the time for its capture is over", async () => {
    const { charge } = await held();
    stand.atCapture = 843;
    expect(await find(charge)).toEqual({ status: "refused", reason: "not_captured", isHard: false });
  });

  test("is let go whole where its sale has ended, also where the answer to that is lost", async () => {
    for (const atVoid of [undefined, "is not answered"] as const) {
      Object.assign(timeouts, { findMs: atVoid ? 300 : usual.findMs });
      const { charge, payment } = await held();
      stand.atVoid = atVoid;
      if (atVoid) await failureOf(unwanted(charge));
      expect(await unwanted(charge)).toEqual(voided);
      expect(await find(charge), "it is never taken afterwards").toEqual(voided);
      expect(puts()).toEqual([`/1/sales/${payment.PaymentId}/void?amount=1999`]);
      stand.atVoid = undefined;
    }
  });

  test("is let go where another payment of the charge is approved, and of two held ones one is taken", async () => {
    const charge = chargeOf();
    addSale(charge, { Status: 1 });
    addSale(charge, {});
    expect(await find(charge)).toEqual({ status: "approved" });
    expect(stand.sold.slice(-2).map(({ Payment }) => Payment.Status)).toEqual([10, 2]);
    const other = chargeOf();
    for (const Status of [1, 1]) addSale(other, { Status });
    expect(await find(other)).toEqual({ status: "approved" });
    expect(stand.sold.slice(-2).map(({ Payment }) => Payment.Status)).toEqual([2, 10]);
  });

  test("of another amount is neither taken nor let go", async () => {
    const charge = chargeOf();
    addSale(charge, { Status: 1, Amount: 2_000 });
    stand.sent.length = 0;
    for (const ask of [find, unwanted]) expect(await failureOf(ask(charge))).toContain("another amount");
    expect(puts()).toEqual([]);
  });
});

describe("a void", () => {
  type Answered = [status: number, body: unknown];
  const VOIDED = { Status: 10, ReturnCode: "9" };

  /** A refund of a sale, and how Cielo answers its void; `voided` are the cents that it then has. */
  async function voiding([status, body]: Answered, voided: number | undefined, payment: Partial<Sale["Payment"]> = {}) {
    const charge = chargeOf();
    addSale(charge, payment);
    const { Payment } = stand.sold.at(-1) as Sale;
    const refund = { chargeId: charge.id, id: newId(), amount: 700, before: 300 };
    if (payment.VoidedAmount === undefined) Payment.VoidedAmount = 300;
    stand.instead = undefined;
    stand.atVoid = (response) => {
      Payment.VoidedAmount = voided;
      response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
    };
    return { refund, Payment };
  }
  afterEach(() => {
    stand.atVoid = undefined;
  });

  test("is one PUT for the cents, under Cielo's id of the payment, after what is voided was read", async () => {
    const { refund, Payment } = await voiding([200, { Status: 2, ReturnCode: "0" }], 1_000);
    expect(await cielo.sendBack(refund)).toEqual({ status: "accepted" });
    expect(stand.sent.map(({ method, path, headers, body }) => [method, path, headers.requestid, body])).toEqual([
      ["GET", `/1/sales?merchantOrderId=${refund.chargeId.replaceAll("-", "")}`, refund.id, ""],
      ["GET", `/1/sales/${Payment.PaymentId}`, refund.id, ""],
      ["PUT", `/1/sales/${Payment.PaymentId}/void?amount=700`, refund.id, ""],
    ]);
  });

  const code = (ReturnCode: unknown): Answered => [200, { Status: 2, ReturnCode }];
  test.each<[Answered, object | null]>([
    [[200, VOIDED], { status: "accepted" }],
    [code("00"), { status: "accepted" }],
    [code(0), { status: "accepted" }],
    ...["3", "40", "41", "43", "51", "56", "100"].map((one): [Answered, object] => [
      code(one),
      { status: "failed", reason: one },
    ]),
    [[400, [{ Code: 309, Message: "Transaction not available to void" }]], { status: "failed", reason: "309" }],
    // After each of these a void may have been made.
    ...["5", "10", "17", "42", "57", "97", "98", "99", "6", "1234", "", null, undefined, {}].map(
      (one): [Answered, null] => [code(one), null],
    ),
    ...[201, 202, 401, 404, 500, 502].map((status): [Answered, null] => [[status, VOIDED], null]),
    [[400, {}], null],
    [[200, "<html>"], null],
    [[200, ""], null],
  ])("answered with %j is %j; where nothing, it is unknown", async (answered, expected) => {
    const { refund } = await voiding(answered, 300);
    if (expected) expect(await cielo.sendBack(refund)).toEqual(expected);
    else await failureOf(cielo.sendBack(refund));
    expect(await cielo.findSentBack(refund)).toBeNull();
  });

  test("that is refused because an earlier one was made is done", async () => {
    const { refund } = await voiding(code("51"), 1_000);
    expect(await cielo.sendBack(refund)).toEqual({ status: "completed", returnId: null });
  });

  test.each([299, 301, 999, 1_001, 1_999])("is unknown, and not sent, where %i cents are voided", async (voided) => {
    const { refund } = await voiding([200, VOIDED], voided, { VoidedAmount: voided });
    expect(await failureOf(cielo.sendBack(refund))).toContain(`${voided} cents`);
    expect(await failureOf(cielo.findSentBack(refund))).toContain(`${voided} cents`);
    expect(stand.sent.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("of all that is left is known by the status of the sale, where Cielo says no sum", async () => {
    for (const Status of [10, 11]) {
      const charge = chargeOf();
      addSale(charge, { Status });
      const refund = { chargeId: charge.id, id: newId(), amount: 1_699, before: 300 };
      expect(await cielo.findSentBack(refund)).toEqual({ status: "completed", returnId: null });
    }
  });

  test("is unknown, and not sent, where Cielo knows no paid sale of the charge, or two", async () => {
    for (const payments of [[], [{ Status: 3 }], [{ Status: 12 }], [{}, {}], [{}, { Status: 10 }]]) {
      const charge = chargeOf();
      for (const payment of payments) addSale(charge, payment);
      const refund = { chargeId: charge.id, id: newId(), amount: 700, before: 0 };
      await failureOf(cielo.sendBack(refund));
      await failureOf(cielo.findSentBack(refund));
    }
    expect(stand.sent.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("is lost where no connection is made for it", async () => {
    const { refund } = await voiding([200, VOIDED], 1_000);
    const { CIELO_URL } = env;
    onTestFinished(() => void Object.assign(env, { CIELO_URL }));
    Object.assign(env, { CIELO_URL: `http://127.0.0.1:${await freePort()}` });
    expect(await cielo.sendBack(refund)).toEqual({ status: "lost" });
  });
});

type Impostor = (response: ServerResponse, about: { ok: number; order: string; body: string }) => unknown;

/** Other servers that may answer at Cielo's address; each returns as much of the card as it can. */
const impostors: Record<string, Impostor> = {
  "an error that quotes the request": (response, { body }) => response.writeHead(500).end(body),
  "a 400 of another server": (response) => response.writeHead(400).end(`{"message":"${CARD.number}"}`),
  "a 400 with no faults": (response) => response.writeHead(400).end("[]"),
  "wrong credentials": (response) => response.writeHead(401).end(),
  "an HTML page instead of JSON": (response, { ok, body }) => response.writeHead(ok).end(`<${CARD.number}>${body}`),
  "a 404 with a body": (response) => response.writeHead(404).end(`{"Message":"${CARD.number}"}`),
  "a 404 page": (response) => response.writeHead(404).end("<html>Not here</html>"),
  "an empty answer": (response, { ok }) => response.writeHead(ok).end(),
  "no payments": (response, { ok }) => response.writeHead(ok).end(`{"Payments":[]}`),
  "a payment whose id is none": (response, { ok }) => response.writeHead(ok).end(`{"Payments":[{"PaymentId":"../x"}]}`),
  "the sale of another order": (response, { ok, order }) =>
    response.writeHead(ok).end(JSON.stringify({ MerchantOrderId: `${order}0`, Payment: { Status: 2, Amount: 1_999 } })),
  "a status that is a word": (response, { ok, order }) =>
    response
      .writeHead(ok)
      .end(JSON.stringify({ MerchantOrderId: order, Payment: { Status: CARD.number, Amount: 1_999 } })),
  "a redirect": (response) => response.writeHead(307, { location: `/?${new URLSearchParams(CARD)}` }).end(),
  "half an answer": (response, { ok, body }) => {
    response.writeHead(ok, { "content-length": 10_000 }).write(body || CARD.number);
    setImmediate(() => response.destroy());
  },
  "a cut connection": (response) => response.destroy(),
};

describe("an answer that cannot be parsed leaves the outcome unknown, and its error shows nothing of card or key", () => {
  test.each(Object.entries(impostors))("to a charge: %s", async (_, impostor) => {
    const charge = chargeOf();
    stand.instead = (response, { body }) => impostor(response, { ok: 201, order: orderOf(charge), body });
    await failureOf(cielo.charge(charge));
  });

  test.each(Object.entries(impostors))("to the first or the second request about a charge: %s", async (_, impostor) => {
    const charge = chargeOf();
    stand.instead = (response, { body }) => impostor(response, { ok: 200, order: orderOf(charge), body });
    await failureOf(find(charge));
    stand.instead = (response, { path, body }) => {
      if (!path.includes("merchantOrderId")) return impostor(response, { ok: 200, order: orderOf(charge), body });
      return response.writeHead(200).end(JSON.stringify({ Payments: [{ PaymentId: newId() }] }));
    };
    await failureOf(find(charge));
  });

  test("a list of faults means that the charge was not made", async () => {
    stand.instead = (response) => response.writeHead(400).end(`[{"Code":126,"Message":"${CARD.number}"}]`);
    expect(await cielo.charge(chargeOf())).toEqual({ status: "lost" });
  });

  test("without a connection a charge is lost at once, and a request about one throws", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1"); // it never begins TLS
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const { CIELO_URL, CIELO_QUERY_URL } = env;
    onTestFinished(() => void Object.assign(env, { CIELO_URL, CIELO_QUERY_URL }));
    Object.assign(env, { CIELO_URL: url, CIELO_QUERY_URL: url });
    const askedAt = performance.now();
    const [charged, found] = await Promise.allSettled([cielo.charge(chargeOf()), find(chargeOf())]);
    expect(charged).toEqual({ status: "fulfilled", value: { status: "lost" } });
    expect(found.status).toBe("rejected");
    expect(performance.now() - askedAt).toBeLessThan(8_000);
  });

  test("an endless answer is cut off and decides nothing", async () => {
    stand.instead = (response) => {
      response.writeHead(201);
      const more = () => !response.destroyed && response.write(" ".repeat(100_000), () => setImmediate(more));
      more();
    };
    expect(await failureOf(cielo.charge(chargeOf()))).toContain("UND_ERR_RES_EXCEEDED_MAX_SIZE");
  });

  test("a charge is sent once, whatever the status of the answer", async () => {
    const charge = chargeOf();
    stand.instead = (response) => response.writeHead(421).end();
    await failureOf(cielo.charge(charge));
    expect(stand.sent).toHaveLength(1);
  });

  test("a redirect is not followed, so card and key go nowhere else", async () => {
    const charge = chargeOf();
    stand.instead = (response) => response.writeHead(307, { location: "/elsewhere" }).end();
    await failureOf(cielo.charge(charge));
    await failureOf(find(charge));
    expect(stand.sent.map(({ path }) => path.replace(/\?.*/, ""))).toEqual(["/1/sales", "/1/sales"]);
  });

  test("null is an order that Cielo answers with an empty 404; such an answer for a payment throws", async () => {
    const charge = chargeOf();
    expect(await find(charge)).toBeNull();
    stand.instead = (response, { path }) => {
      if (!path.includes("merchantOrderId")) return response.writeHead(404).end();
      return response.writeHead(200).end(JSON.stringify({ Payments: [{ PaymentId: newId() }] }));
    };
    expect(await failureOf(find(charge))).toContain("404");
  });

  test("a charge may last as long as the port says, and so may both requests about one together", async () => {
    expect(usual).toEqual({ callMs: 8_000, findMs: 5_000 });
    const charge = chargeOf();
    Object.assign(timeouts, { callMs: 100, findMs: 500 });
    stand.instead = () => undefined;
    expect(await failureOf(cielo.charge(charge))).toContain("TimeoutError");
    stand.instead = async (response) => {
      await pause(300);
      response.writeHead(200).end(JSON.stringify({ Payments: [{ PaymentId: newId() }] }));
    };
    expect(await failureOf(find(charge))).toContain("TimeoutError");
    expect(stand.sent.at(-1)?.path).toMatch(/^\/1\/sales\/[0-9a-f-]{36}$/);
  });
});
