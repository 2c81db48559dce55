import { randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { env } from "@/lib/env";

/** The delay of a slow answer. Tests shorten it. */
export const patience = { slowMs: 3_000 };

/** Numbers that are answered slowly or never. All others behave as in Cielo's sandbox. */
export const SLOW = "4000000000000101";
export const SILENT = ["4000000000000200", "4000000000000226"] as const;

/** A number whose money is held and not taken, although it was to be captured. */
export const AUTHORISED = "4000000000000051";

/** In Cielo's sandbox the last digit of a card chooses its ReturnCode; 0, 1 and 4 are approved. */
const refusals: Record<string, string> = { 2: "05", 3: "57", 5: "78", 6: "99", 7: "77", 8: "70", 9: "99" };

/** The fields of Cielo's answer about a sale that we read. */
export type Sale = {
  MerchantOrderId: string;
  Payment: {
    PaymentId: string;
    Status: number;
    Amount: number;
    CapturedAmount?: number;
    ReturnCode?: unknown;
    MerchantAdviceCode?: unknown;
    VoidedAmount?: number;
    CreditCard?: { Brand: string };
  };
};
type Sent = { method: string; path: string; headers: IncomingHttpHeaders; body: string };
/** What becomes of a void other than what the manual says: a number is the ReturnCode with which Cielo answers it. */
type AtVoid = "is lost" | "is not answered" | number | ((response: ServerResponse) => unknown);
/** What becomes of a capture other than what the manual says: a number is the fault with which Cielo answers it. */
type AtCapture = "is lost" | "is not answered" | number;
type Answer = (response: ServerResponse, sent: Sent) => unknown;

const credentials = { CIELO_MERCHANT_ID: randomUUID(), CIELO_MERCHANT_KEY: "CANARYKEY".repeat(4).slice(0, 40) };

/**
 * A stand-in for Cielo: both of its hosts on free ports, with the shapes that its manual publishes, and this process
 * configured for them. Like Cielo it charges as often as it is asked. `sent` are the requests that it got, `sold` the
 * sales that it made; `instead` answers in its place, and `atVoid` and `atCapture` are what becomes of voids and captures,
 * until each is removed.
 */
export async function serveCielo() {
  const sold: Sale[] = [];
  const sent: Sent[] = [];
  const place: { instead?: Answer; atVoid?: AtVoid; atCapture?: AtCapture } = {};
  const [sales, queries] = await Promise.all([
    listen((response, asked) => (asked.method === "POST" ? charge : putterOf(asked))(response, asked)),
    listen(answerQuery),
  ]);
  Object.assign(env, credentials, { CIELO_URL: sales.url, CIELO_QUERY_URL: queries.url });

  /** From here on Cielo is not configured, and further requests find no server. */
  async function close() {
    Object.assign(env, { CIELO_MERCHANT_ID: undefined, CIELO_MERCHANT_KEY: undefined });
    await Promise.all([sales.close(), queries.close()]);
  }

  async function listen(answer: Answer) {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method = "", url: path = "", headers } = request;
      const asked = { method, path, headers, body: Buffer.concat(chunks).toString() };
      sent.push(asked);
      const isKnown =
        headers.merchantid === credentials.CIELO_MERCHANT_ID && headers.merchantkey === credentials.CIELO_MERCHANT_KEY;
      if (place.instead) await place.instead(response, asked);
      else if (isKnown) await answer(response, asked);
      else response.writeHead(401).end();
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => shut(server) };
  }

  const putterOf = ({ path }: Sent) => (path.endsWith("/capture") ? capture : voidPart);

  function capture(response: ServerResponse, { path }: Sent) {
    const [, id] = /^\/1\/sales\/([^/]+)\/capture$/.exec(path) ?? [];
    const payment = sold.find(({ Payment }) => Payment.PaymentId === id)?.Payment;
    if (!payment) return response.writeHead(404).end();
    const { atCapture } = place;
    if (atCapture === "is lost") return response.destroy();
    const fault = typeof atCapture === "number" ? atCapture : payment.Status === 1 ? undefined : 841;
    if (fault !== undefined) return json(response, 400, [{ Code: fault, Message: "Of the stand-in" }]);
    Object.assign(payment, { Status: 2, CapturedAmount: payment.Amount });
    if (atCapture === "is not answered") return response.destroy();
    return json(response, 200, { Status: 2, ReturnCode: "6", ReturnMessage: "Of the stand-in" });
  }

  function voidPart(response: ServerResponse, { path }: Sent) {
    const [, id, amount] = /^\/1\/sales\/([^/]+)\/void\?amount=(\d+)$/.exec(path) ?? [];
    const payment = sold.find(({ Payment }) => Payment.PaymentId === id)?.Payment;
    if (!payment) return response.writeHead(404).end();
    const { atVoid } = place;
    if (atVoid === "is lost") return undefined;
    if (typeof atVoid === "function") return atVoid(response);
    const voided = (payment.VoidedAmount ?? 0) + Number(amount);
    const code = typeof atVoid === "number" ? atVoid : voided > payment.Amount ? 51 : voided < payment.Amount ? 0 : 9;
    if (code === 0 || code === 9)
      Object.assign(payment, { VoidedAmount: voided, ...(voided === payment.Amount && { Status: 10 }) });
    if (atVoid === "is not answered") return undefined;
    return json(response, 200, { Status: payment.Status, ReturnCode: `${code}`, ReturnMessage: "Of the stand-in" });
  }

  async function charge(response: ServerResponse, { path, body }: Sent) {
    if (path !== "/1/sales") return response.writeHead(404).end();
    const { MerchantOrderId, Payment } = JSON.parse(body);
    if (!isAcceptable(JSON.parse(body))) return json(response, 400, [{ Code: 0, Message: "It is not valid" }]);
    const { CardNumber, Holder, Brand } = Payment.CreditCard;
    const refused = CardNumber === AUTHORISED ? undefined : refusals[CardNumber.slice(-1)];
    const taken = CardNumber === AUTHORISED ? { Status: 1 } : { Status: 2, CapturedAmount: Payment.Amount };
    const sale = {
      MerchantOrderId,
      Payment: {
        PaymentId: randomUUID(),
        Type: "CreditCard",
        Amount: Payment.Amount,
        ...(refused ? { Status: 3, ReturnCode: refused } : { ...taken, ReturnCode: "6" }),
        CreditCard: { CardNumber: `${CardNumber.slice(0, 6)}******${CardNumber.slice(-4)}`, Holder, Brand },
      },
    };
    sold.push(sale);
    if (SILENT.some((number) => number === CardNumber)) return undefined;
    if (CardNumber === SLOW) await pause(patience.slowMs);
    return json(response, 201, sale);
  }

  function answerQuery(response: ServerResponse, { method, path }: Sent) {
    const { pathname, searchParams } = new URL(path, "http://cielo");
    const order = searchParams.get("merchantOrderId");
    const paymentId = /^\/1\/sales\/([^/]+)$/.exec(pathname)?.[1];
    const found = sold.filter(({ MerchantOrderId, Payment }) =>
      paymentId ? Payment.PaymentId === paymentId : MerchantOrderId === order,
    );
    if (method !== "GET" || found.length === 0) return response.writeHead(404).end();
    if (paymentId) return json(response, 200, found[0]);
    const Payments = found.map(({ Payment: { PaymentId } }) => ({
      PaymentId,
      ReceveidDate: "2026-11-21T10:00:00.000",
    }));
    return json(response, 200, { ReasonCode: 0, ReasonMessage: "Successful", Payments });
  }

  return Object.assign(place, { sold, sent, close });
}

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

/** Whether a request keeps to the lengths and alphabets of the manual; otherwise it is answered with a 400. */
function isAcceptable({ MerchantOrderId, Customer, Payment }: Record<string, Record<string, never>>): boolean {
  const { Type, Amount, Installments, SoftDescriptor, CreditCard } = Payment as Record<string, unknown>;
  const { Holder, ExpirationDate, Brand } = CreditCard as Record<string, unknown>;
  return (
    [
      [MerchantOrderId, /^[A-Za-z0-9]{1,50}$/],
      [Customer?.Name, /^[A-Za-z ]{1,255}$/],
      [Type, /^CreditCard$/],
      [SoftDescriptor, /^[A-Za-z0-9]{0,13}$/],
      [Holder, /^[A-Za-z ]{1,25}$/],
      [ExpirationDate, /^(0[1-9]|1[0-2])\/\d{4}$/],
      [Brand, /^(Visa|Master|Amex|Elo|Aura|JCB|Diners|Discover)$/],
    ] satisfies [unknown, RegExp][]
  )
    .map(([value, form]) => form.test(String(value)))
    .concat(Number.isInteger(Amount) && Number(Amount) > 0, Number(Installments) >= 1)
    .every(Boolean);
}

function shut(server: Server) {
  server.closeAllConnections();
  return new Promise((closed) => server.close(closed));
}
