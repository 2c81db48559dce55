import { z } from "zod";
import { env } from "@/lib/env";
import { digitsOf, isId } from "@/lib/ids";
import { type HttpClient, httpClient, type Sent, timeouts, UNREACHED } from "@/lib/outside/http-client";
import { foldToAscii } from "@/lib/rails/ascii";
import { acceptedVoids, declinedBy, refusedVoids } from "@/lib/rails/cards/cielo/reasons";
import type { Acquirer, OnFile, Outcome, Returning } from "@/lib/rails/cards/port";
import type { SentBack } from "@/lib/rails/sent-back";

/**
 * The port over Cielo's API E-commerce 3.0 (docs.cielo.com.br/ecommerce-cielo, read in November 2026). Its answer's
 * Status decides, never its ReturnCode: an approved sale may carry any. Of a void the sum of what is voided decides.
 *
 * Cielo charges as often as it is asked, also under one order id, so a charge must be sent only once. It answers about
 * an order for three months and has no list by date.
 */
export const cielo = {
  provider: "cielo",

  /**
   * Refuses a brand that Cielo does not accept without asking, because surely nothing is charged. If a crash loses that
   * answer, `find` does not know the sale, which then fails; it is unpaid either way.
   */
  async charge({ id, amount, installments, card, brand, onFile, softDescriptor }) {
    const Brand = brands[brand];
    if (!Brand) return { status: "refused", reason: "brand_not_accepted", isHard: true };
    const Holder = nameOf(card.holder_name);
    const body = {
      MerchantOrderId: orderOf(id),
      Customer: { Name: Holder },
      Payment: {
        Type: "CreditCard",
        Amount: amount,
        Currency: "BRL",
        Country: "BRA",
        Installments: installments,
        Interest: "ByMerchant",
        Capture: true,
        SoftDescriptor: descriptorOf(softDescriptor),
        ...(onFile && Brand === "Master" && { InitiatedTransactionIndicator: initiated[onFile] }),
        CreditCard: {
          CardNumber: card.number,
          Holder,
          ExpirationDate: `${card.expiry_month}/${card.expiry_year}`,
          SecurityCode: card.cvv,
          Brand,
          ...(onFile && marksOnFile.has(Brand) && { CardOnFile: usages[onFile] }),
        },
      },
    };
    const signal = AbortSignal.timeout(timeouts.callMs);
    const { status, json } = await ask(sales, "/1/sales", id, signal, { method: "POST", body: JSON.stringify(body) });
    if (status === UNREACHED || (status === 400 && Faults.safeParse(json).success)) return { status: "lost" };
    if (status !== 201) throw new Error(`Cielo answered ${status} to a charge`);
    return decided(outcomeOf(json, id, amount));
  },

  /**
   * Null for an empty 404, with which Cielo answers that this store has no such order; a 404 with a body may come from
   * another server. Of several payments under our id an approved one decides, and then an undecided one. One that Cielo
   * authorised and did not capture is captured here, or voided.
   */
  async find({ id, amount, isWanted }) {
    if (!isId(id)) return null;
    const signal = AbortSignal.timeout(timeouts.findMs); // for all requests together
    const payments = await paymentsOf(id, signal);
    if (!payments) return null;
    const read = async (PaymentId: string) => outcomeOf(await readPayment(PaymentId, id, signal), id, amount);
    const found = await Promise.allSettled(payments.map(({ PaymentId }) => read(PaymentId)));
    const isAny = (status: string) => found.some((one) => one.status === "fulfilled" && one.value.status === status);
    const unread = found.find((one) => one.status === "rejected");
    // What another payment became decides what is done with the one that is held.
    if (unread && isWanted && isAny("authorised") && !isAny("approved")) throw unread.reason;
    let mayCapture = isWanted && !isAny("approved");
    const answers = await Promise.allSettled(
      found.map(async (one, place) => {
        const { PaymentId = "" } = payments[place] ?? {};
        if (one.status === "rejected") throw one.reason;
        if (one.value.status !== "authorised") return one.value;
        const end = mayCapture ? capture : voidAll;
        mayCapture = false; // one of several is enough
        return (await end(PaymentId, { id, amount, signal })) ?? decided(await read(PaymentId));
      }),
    );
    const approved = answers.find((answer) => answer.status === "fulfilled" && answer.value.status === "approved");
    const [first] = answers;
    const deciding = approved ?? answers.find((answer) => answer.status === "rejected") ?? first;
    if (deciding?.status !== "fulfilled") throw deciding?.reason;
    return deciding.value;
  },

  /**
   * Voids a part of the sale. A void carries no id of ours, so what is voided by now is read before one is sent. One that
   * Cielo approves is accepted: it may still be denied, and counts once it is among what is voided. Of one that Cielo
   * refuses, the same decides whether an earlier one was made.
   */
  async sendBack(refund) {
    const { id, amount } = refund;
    const signal = AbortSignal.timeout(timeouts.callMs); // for all requests together
    const { PaymentId, voided } = await readPaid(refund, signal);
    const earlier = voidOf(refund, voided);
    if (earlier) return earlier;
    const path = `/1/sales/${PaymentId}/void?amount=${amount}`;
    const { status, json } = await ask(sales, path, id, signal, { method: "PUT" });
    if (status === UNREACHED) return { status: "lost" };
    const code = status === 200 ? Void.parse(json).ReturnCode : undefined;
    const fault = status === 400 ? Faults.safeParse(json).data?.[0]?.Code : undefined;
    if (acceptedVoids.has(code)) return { status: "accepted" };
    if (fault === undefined && !refusedVoids.has(code)) throw new Error(`Cielo answered ${status}, ${code} to a void`);
    return voidOf(refund, (await readPaid(refund, signal)).voided) ?? { status: "failed", reason: `${fault ?? code}` };
  },

  async findSentBack(refund) {
    return voidOf(refund, (await readPaid(refund, AbortSignal.timeout(timeouts.findMs))).voided);
  },
} satisfies Acquirer;

type Ending = { id: string; amount: number; signal: AbortSignal };

/**
 * Captures the whole of a payment. Cielo captures a payment once, so a repeat takes nothing; what became of it is read
 * afterwards. Not read where Cielo says that its time is over: what was held goes back to the holder by itself.
 */
async function capture(paymentId: string, { id, signal }: Ending): Promise<Outcome | undefined> {
  const { status, json } = await ask(sales, `/1/sales/${paymentId}/capture`, id, signal, { method: "PUT" });
  const fault = status === 400 ? Faults.safeParse(json).data?.[0]?.Code : undefined;
  return fault === CAPTURE_TOO_LATE ? { status: "refused", reason: "not_captured", isHard: false } : undefined;
}

/** Cielo's fault of a capture whose term is over. */
const CAPTURE_TOO_LATE = 843;

/** Lets the whole of a payment go that nobody waits for any more. What became of it is read afterwards. */
async function voidAll(paymentId: string, { id, amount, signal }: Ending): Promise<undefined> {
  await ask(sales, `/1/sales/${paymentId}/void?amount=${amount}`, id, signal, { method: "PUT" });
}

/**
 * What became of a void, from all that is voided of its sale: null where that is what it was before. Throws where it is
 * neither with nor without this void, as after one by hand.
 */
function voidOf({ amount, before }: Returning, voided: number): SentBack | null {
  if (voided === before) return null;
  if (voided === before + amount) return { status: "completed", returnId: null };
  throw new Error(`Cielo voided ${voided} cents of a sale of which ${before} or ${before + amount} went back`);
}

/** The one payment of a charge that was paid, and what is voided of it in cents. Throws where it cannot be known. */
async function readPaid({ chargeId, id }: Returning, signal: AbortSignal) {
  const payments = (await paymentsOf(chargeId, signal, id)) ?? [];
  const read = await Promise.all(
    payments.map(async ({ PaymentId }) => {
      const { data: sale } = Sale.safeParse(await readPayment(PaymentId, id, signal));
      if (sale?.MerchantOrderId !== orderOf(chargeId)) throw new Error("Cielo answered about another sale");
      const { Status, Amount, VoidedAmount } = sale.Payment;
      const isWhole = Status === 10 || Status === 11; // Voided, Refunded
      return { PaymentId, isPaid: isWhole || Status === 2, voided: VoidedAmount ?? (isWhole ? Amount : 0) };
    }),
  );
  const [paid, ...others] = read.filter(({ isPaid }) => isPaid);
  if (!paid || others.length > 0) throw new Error("Cielo knows no payment of this charge, or several");
  return paid;
}

/** The brands that Cielo charges. It never charged Hiper, and stopped Hipercard on 2025-06-30. */
const brands: Readonly<Record<string, string>> = {
  visa: "Visa",
  mastercard: "Master",
  amex: "Amex",
  elo: "Elo",
  aura: "Aura",
  jcb: "JCB",
  diners: "Diners",
  discover: "Discover",
};

/** Our name of a brand by Cielo's; null of another one. */
const brandNamed = (name: string | null | undefined): string | null =>
  Object.keys(brands).find((brand) => brands[brand] === name) ?? null;

/** The brands for which Cielo marks a card on file. */
const marksOnFile = new Set(["Visa", "Master", "Elo"]);
const usages: Record<OnFile, object> = {
  first: { Usage: "First" },
  later: { Usage: "Used", Reason: "Unscheduled" },
  first_recurring: { Usage: "First", Reason: "Recurring" },
  recurring: { Usage: "Used", Reason: "Recurring" },
  replaced: { Usage: "First", Reason: "Recurring" },
};

/** Mastercard's additional mark: whether the holder (C1) or the seller (M1) began a charge with a card on file. */
const initiated: Record<OnFile, object> = {
  first: { Category: "C1", Subcategory: "CredentialsOnFile" },
  later: { Category: "M1", Subcategory: "CredentialsOnFile" },
  first_recurring: { Category: "C1", Subcategory: "Subscription" },
  recurring: { Category: "M1", Subcategory: "Subscription" },
  replaced: { Category: "M1", Subcategory: "Subscription" },
};

/** Our id as Cielo's order id, which has letters and digits only, at most 50. */
const orderOf = (id: string) => digitsOf(id).toLowerCase();

/** The holder's name in Cielo's form: 1 to 25 letters and spaces. */
const nameOf = (name: string) =>
  foldToAscii(name.replace(/[-'’.]/g, " "), 255)
    .replace(/[^A-Za-z ]/g, "")
    .replace(/ +/g, " ")
    .trim()
    .slice(0, 25)
    .trimEnd() || "NAO INFORMADO";

/** The name on the statement in Cielo's form: at most 13 letters and digits. */
const descriptorOf = (name: string) =>
  foldToAscii(name, 255)
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, 13);

/** Cielo's answer to a request that it did not accept. */
const Faults = z.array(z.object({ Code: z.number() })).min(1);

const Order = z.object({ Payments: z.array(z.object({ PaymentId: z.guid() })).min(1) });

const Sale = z.object({
  MerchantOrderId: z.string(),
  Payment: z.object({
    Status: z.int(),
    Amount: z.int(),
    CapturedAmount: z.int().nullish(),
    ReturnCode: z.unknown().optional(),
    MerchantAdviceCode: z.string().nullish().catch(null),
    VoidedAmount: z.int().nullish(),
    CreditCard: z.object({ Brand: z.string().nullish() }).nullish(),
  }),
});

/** Cielo's answer to a void. */
const Void = z.object({
  ReturnCode: z.int().or(
    z
      .string()
      .regex(/^\d{1,3}$/)
      .transform(Number),
  ),
});

/** The payments under our id of a charge; null where Cielo knows none. `id` is that of the request. */
async function paymentsOf(chargeId: string, signal: AbortSignal, id = chargeId) {
  const { status, json } = await ask(queries, `/1/sales?merchantOrderId=${orderOf(chargeId)}`, id, signal);
  if (status === 404 && json === undefined) return null;
  const { data: order } = Order.safeParse(json);
  if (status !== 200 || !order) throw new Error(`Cielo answered ${status} about an order`);
  return order.Payments;
}

async function readPayment(paymentId: string, id: string, signal: AbortSignal): Promise<unknown> {
  const { status, json } = await ask(queries, `/1/sales/${paymentId}`, id, signal);
  if (status !== 200) throw new Error(`Cielo answered ${status} about a payment`);
  return json;
}

/** Money that Cielo holds on the card and has not taken. */
type Authorised = { status: "authorised" };

/** Throws for a payment that is not captured, whose outcome is then found by `find`. */
function decided(outcome: Outcome | Authorised): Outcome {
  if (outcome.status === "authorised") throw new Error("Cielo has authorised and not captured: status 1");
  return outcome;
}

/** The outcome of a sale. Throws while the sale is undecided, and for an answer about another sale. */
function outcomeOf(json: unknown, id: string, amount: number): Outcome | Authorised {
  const { data: sale } = Sale.safeParse(json);
  if (sale?.MerchantOrderId !== orderOf(id)) throw new Error("Cielo answered with no outcome of this charge");
  const { Status, Amount, CapturedAmount, ReturnCode, MerchantAdviceCode, CreditCard } = sale.Payment;
  if (Amount !== amount) throw new Error("Cielo answered with another amount");
  switch (Status) {
    case 1: // Authorized
      return { status: "authorised" };
    case 2: // PaymentConfirmed
      if ((CapturedAmount ?? Amount) !== Amount) throw new Error("Cielo captured another amount");
      return { status: "approved" };
    case 3: // Denied
    case 13: // Aborted
      return {
        status: "refused",
        ...declinedBy(brandNamed(CreditCard?.Brand), ReturnCode, MerchantAdviceCode || null),
      };
    case 10: // Voided
    case 11: // Refunded: the money went back
      return { status: "refused", reason: "voided", isHard: false };
    default: // 0 NotFinished, 12 Pending, 20 Scheduled, and any other
      throw new Error(`Cielo has not decided: status ${Status}`);
  }
}

/** Cielo knows its clients by two headers, and answers questions at another host than charges. */
const clientAt = (baseUrl: () => string) =>
  httpClient(() => {
    const { CIELO_MERCHANT_ID = "", CIELO_MERCHANT_KEY = "" } = env;
    const headers = { MerchantId: CIELO_MERCHANT_ID, MerchantKey: CIELO_MERCHANT_KEY };
    return { provider: "cielo", baseUrl: baseUrl(), headers };
  });
const sales = clientAt(() => env.CIELO_URL);
const queries = clientAt(() => env.CIELO_QUERY_URL);

/** `id` is our id of the charge or refund, for Cielo's support. */
function ask(client: HttpClient, path: string, id: string, signal: AbortSignal, sent: Sent = { method: "GET" }) {
  return client(path, { ...sent, headers: { RequestId: id }, signal, kind: `${sent.method} /sales` });
}
