import { countStored, keyBytes } from "@/lib/accounts/storage";
import { idemOf, startedOf } from "@/lib/checkout/attempt";
import { findOffer, isBusy, type Offer } from "@/lib/checkout/find";
import { checkoutMethods } from "@/lib/checkout/methods";
import type { CheckoutPay, CheckoutStarted } from "@/lib/checkout/schema";
import { takeLinkSlot } from "@/lib/checkout/take-link-slot";
import { admit } from "@/lib/db";
import { depositErrors } from "@/lib/deposits/request";
import { AppError, type ErrorCode, invalid } from "@/lib/errors";
import type { Intent } from "@/lib/idempotency";
import { admitPayment } from "@/lib/payment-links/admit";
import type { PageSale } from "@/lib/transactions/insert";
import type { SoldItems } from "@/lib/transactions/sale";
import { trackingOf } from "@/lib/transactions/tracking";

/** The page that a payment is asked for on, and from where, as the server saw it. */
export type Visit = { token: string; ip: string; userAgent: string };

/** The codes that paying throws, for the contract of its route. */
export const payErrors = [
  ...depositErrors,
  "checkout_not_found",
  "checkout_paid",
  "checkout_changed",
  "checkout_expired",
  "checkout_used_up",
  "checkout_busy",
  "checkout_unpaid",
  "validation_failed",
  "DUPLICATE_CARD_TOKEN",
  "card_token_expired",
  "card_refused",
  "antifraud_refused",
  "charge_not_made",
  "idempotency_key_reused",
  "idempotency_in_progress",
] as const satisfies readonly ErrorCode[];

/**
 * Begins a payment of a link: a Pix code, or the charge of a card. The amount is the link's. Throws `payErrors`.
 */
export async function payLink(input: CheckoutPay & Visit, { requestId }: Intent): Promise<CheckoutStarted> {
  const { token, ip, userAgent, ...body } = input;
  const offer = await findOffer(token);
  const { account } = offer;
  if (offer.kind !== "payment_link") throw new AppError("checkout_not_found");
  await takeLinkSlot(offer.token, ip);
  assertAnswers(offer, body);
  return admit(account.id, async () => {
    const started = await begin(offer, body, { ip, userAgent, requestId });
    if (body.attempt) countStored(account.id, keyBytes(JSON.stringify(started)), "visitors");
    return started;
  });
}

/** Throws where the offer cannot be paid so: by this method, at this amount, without an address. */
function assertAnswers({ account, methods, amount, collectAddress }: Offer, { method, shown, address }: CheckoutPay) {
  if (isBusy(account)) throw new AppError("rail_unavailable");
  if (!methods.includes(method)) throw invalid({ method: ["Este meio de pagamento não está disponível."] });
  if (typeof shown === "number" && shown !== amount) throw new AppError("checkout_changed");
  if (collectAddress && !address) throw invalid({ "address.postal_code": ["Campo obrigatório."] });
}

type From = Omit<Visit, "token">;

async function begin(offer: Offer, body: CheckoutPay, from: From & { requestId: string }): Promise<CheckoutStarted> {
  const { account, token, amount, maxPayments } = offer;
  const { ip, userAgent, requestId } = from;
  const intent = { idem: body.attempt ? idemOf(account.id, token, body.attempt) : undefined, requestId };
  const order = {
    ...{ token, amount, description: descriptionOf(offer), isLimited: maxPayments !== null },
    ...{ body, page: pageSale(offer, body, from), ip, userAgent },
  };
  return startedOf(await checkoutMethods[body.method].begin(account, order, intent));
}

const descriptionOf = ({ name, description }: Offer) => description ?? name;

/** The sale of a link names its product, or else the link. */
function pageSale(offer: Offer, body: CheckoutPay, { ip, userAgent }: From) {
  const { account, token, amount, product, collectAddress } = offer;
  const { name, email, document, phone, address, method, replaces } = body;
  const item = { reference_id: token, name: descriptionOf(offer), type: "payment_link", amount };
  const checkout: SoldItems = {
    reference_id: product?.id ?? token,
    name: product?.name ?? descriptionOf(offer),
    items: [item],
  };
  const deliveryAddress = collectAddress ? (address ?? null) : null;
  const columns = {
    origin: "payment_link" as const,
    paymentLinkId: token,
    productId: product?.id ?? null,
    checkout,
    deliveryAddress,
    clientIp: ip,
    userAgent: userAgent || null,
    byVisitor: true,
    tracking: trackingOf(body),
  };
  const payer = { name, email, document, phone, deliveryAddress, ip };
  const asked = { linkId: token, amount, method, payer, replaces: replaces ?? undefined };
  return { columns, admit: (tx) => admitPayment(tx, account, asked) } satisfies PageSale;
}
