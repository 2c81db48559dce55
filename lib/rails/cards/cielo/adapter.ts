import { z } from "zod";
import { env } from "@/lib/env";
import { isId } from "@/lib/ids";
import { type HttpClient, httpClient, timeouts, UNREACHED } from "@/lib/outside/http-client";
import { foldToAscii } from "@/lib/rails/ascii";
import { reasonOf } from "@/lib/rails/cards/cielo/reasons";
import type { Acquirer, OnFile, Outcome } from "@/lib/rails/cards/port";

/**
 * The port over Cielo's API E-commerce 3.0 (docs.cielo.com.br/ecommerce-cielo, read in November 2026). Its answer's
 * Status decides, never its ReturnCode: an approved sale may carry any.
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
    if (!Brand) return { status: "refused", reason: "brand_not_accepted" };
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
    const { status, json } = await ask(sales, "/1/sales", id, signal, JSON.stringify(body));
    if (status === UNREACHED || (status === 400 && Faults.safeParse(json).success)) return { status: "lost" };
    if (status !== 201) throw new Error(`Cielo answered ${status} to a charge`);
    return outcomeOf(json, id, amount);
  },

  /**
   * Null for an empty 404, with which Cielo answers that this store has no such order; a 404 with a body may come from
   * another server. Of several payments under our id an approved one decides, and then an undecided one.
   */
  async find({ id, amount }) {
    if (!isId(id)) return null;
    const signal = AbortSignal.timeout(timeouts.findMs); // for both requests together
    const { status, json } = await ask(queries, `/1/sales?merchantOrderId=${orderOf(id)}`, id, signal);
    if (status === 404 && json === undefined) return null;
    const { data: order } = Order.safeParse(json);
    if (status !== 200 || !order) throw new Error(`Cielo answered ${status} about an order`);
    const answers = await Promise.allSettled(
      order.Payments.map(async ({ PaymentId }) => {
        const { status, json } = await ask(queries, `/1/sales/${PaymentId}`, id, signal);
        if (status !== 200) throw new Error(`Cielo answered ${status} about a payment`);
        return outcomeOf(json, id, amount);
      }),
    );
    const approved = answers.find((answer) => answer.status === "fulfilled" && answer.value.status === "approved");
    const [first] = answers;
    const deciding = approved ?? answers.find((answer) => answer.status === "rejected") ?? first;
    if (deciding?.status !== "fulfilled") throw deciding?.reason;
    return deciding.value;
  },
} satisfies Acquirer;

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

/** The brands for which Cielo marks a card on file. */
const marksOnFile = new Set(["Visa", "Master", "Elo"]);
const usages: Record<OnFile, object> = {
  first: { Usage: "First" },
  later: { Usage: "Used", Reason: "Unscheduled" },
  first_recurring: { Usage: "First", Reason: "Recurring" },
  recurring: { Usage: "Used", Reason: "Recurring" },
};

/** Mastercard's additional mark: whether the holder (C1) or the seller (M1) began a charge with a card on file. */
const initiated: Record<OnFile, object> = {
  first: { Category: "C1", Subcategory: "CredentialsOnFile" },
  later: { Category: "M1", Subcategory: "CredentialsOnFile" },
  first_recurring: { Category: "C1", Subcategory: "Subscription" },
  recurring: { Category: "M1", Subcategory: "Subscription" },
};

/** Our id as Cielo's order id, which has letters and digits only, at most 50. */
const orderOf = (id: string) => id.replaceAll("-", "").toLowerCase();

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
  }),
});

/** The outcome of a sale. Throws while the sale is undecided, and for an answer about another sale. */
function outcomeOf(json: unknown, id: string, amount: number): Outcome {
  const { data: sale } = Sale.safeParse(json);
  if (sale?.MerchantOrderId !== orderOf(id)) throw new Error("Cielo answered with no outcome of this charge");
  const { Status, Amount, CapturedAmount, ReturnCode } = sale.Payment;
  if (Amount !== amount) throw new Error("Cielo answered with another amount");
  switch (Status) {
    case 2: // PaymentConfirmed
      if ((CapturedAmount ?? Amount) !== Amount) throw new Error("Cielo captured another amount");
      return { status: "approved" };
    case 3: // Denied
    case 13: // Aborted
      return { status: "refused", reason: reasonOf(ReturnCode) };
    case 10: // Voided
    case 11: // Refunded: the money went back
      return { status: "refused", reason: "voided" };
    default: // 0 NotFinished, 1 Authorized, 12 Pending, 20 Scheduled, and any other
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

/** POSTs a body, or GETs where there is none. `id` is our id of the charge, for Cielo's support. */
function ask(client: HttpClient, path: string, id: string, signal: AbortSignal, body?: string) {
  const method = body ? "POST" : "GET";
  return client(path, { method, headers: { RequestId: id }, body, signal, kind: `${method} /sales` });
}
