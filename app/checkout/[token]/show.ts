import { answerPage, type PageVisit, seeOther } from "@/app/checkout/[token]/answer";
import { endedCookie, enrolledIn, payerPathFor } from "@/app/checkout/[token]/enrolled";
import { formPage, NOTHING_TYPED, type Typed } from "@/browser/checkout/form";
import type { Html } from "@/browser/checkout/html";
import { closedOffer, offerHead, type Shown, withCancel } from "@/browser/checkout/page";
import { paymentPage } from "@/browser/checkout/payment";
import { fill } from "@/browser/checkout/words";
import { findOffer, type Offer, type SellerOnPage } from "@/lib/checkout/find";
import { readAfterPayment } from "@/lib/checkout/payer-page";
import { findPayment, type Payment } from "@/lib/checkout/status";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { billingMethods, methods } from "@/lib/methods/methods";
import { readPublicKey } from "@/lib/public-keys/public-key";
import type { SoldItems } from "@/lib/transactions/sale";

/** A browser without scripts loads a page that waits again after these seconds. */
const RELOAD_SECONDS = 10;

/** The offer, or the payment that the address names. Throws `checkout_not_found`. */
export async function showCheckout(visit: PageVisit): Promise<Response> {
  const { token, payment } = visit;
  if (!payment) return forgetBefore(visit, await showOffer(visit, await findOffer(token)));
  const found = await findPayment(token, payment);
  return found.successor ? seeOther(visit, found.successor) : showPayment(visit, found);
}

/** A new visit of the form begins: what its browser keeps of somebody who enrolled before is not for this visitor. */
function forgetBefore({ request, token }: PageVisit, response: Response): Response {
  if (enrolledIn(request)) response.headers.append("set-cookie", endedCookie(token));
  return response;
}

type Again = { typed?: Typed; status?: number; attempt?: string | undefined };

/** The offer with its form; `typed` is what was sent before, with its faults. */
export async function showOffer(visit: PageVisit, offer: Offer, { typed, status, attempt }: Again = {}) {
  const { words, pathOf, replaces } = visit;
  const { texts } = words;
  const shown = shownOf(offer);
  const leaving = (content: Html) => withCancel(words, content, offer.wayBack.cancelUrl && visit.backPath);
  const closed = offer.status === "open" ? offer.methods.length === 0 && "unpayable" : offer.status;
  if (closed) {
    const text = fill(texts.closed[`${closed}Text`], { seller: shown.seller });
    const content = closedOffer(offerHead(words, shown), { title: texts.closed[closed], text });
    return answerPage(visit, { content: leaving(content), shown, ...(status && { status }) });
  }
  const content = formPage(words, {
    shown,
    action: pathOf(replaces ? { replaces } : {}),
    billing: offer.billingMethod,
    methods: offer.methods,
    collectsAddress: offer.collectAddress,
    attempt: attempt ?? newId(),
    tracked: visit.tracked,
    replaces: replaces ? { id: replaces, page: pathOf({ payment: replaces }) } : null,
    publicKey: await publicKeyOf(offer),
    typed: typed ?? NOTHING_TYPED,
  });
  return answerPage(visit, { content: leaving(content), shown, ...(status && { status }) });
}

/** The seller's public key, with which its card fields are opened on our page; it is made when first asked for. */
async function publicKeyOf({ account, methods, publicKey }: Offer): Promise<string | null> {
  if (!methods.includes("card")) return null;
  return publicKey ?? (await readPublicKey(account)).data.key;
}

/** Where there is a product its name comes first, as in every page and mail that names it and its plan. */
const shownOf = (offer: Offer): Shown => ({
  token: offer.token,
  seller: offer.account.name,
  ...onPage(offer.seller),
  ...(offer.kind === "plan" && offer.product
    ? { name: offer.product.name, description: named(offer.name, offer.description) }
    : { name: offer.name, description: offer.description }),
  image: offer.imageUrl && new URL(offer.imageUrl).pathname,
  amount: offer.amount,
  periodicityDays: offer.periodicityDays,
  isInMonths: offer.billingMethod !== null && billingMethods[offer.billingMethod].inMonths,
  isTest: offer.account.mode === "sandbox",
});

/** Pictures come from our own origin, so that no page loads one from elsewhere. */
const onPage = ({ imageUrl, support }: SellerOnPage) => ({
  sellerImage: imageUrl && new URL(imageUrl).pathname,
  support,
});

/** Names on one line, each once. */
const named = (...names: (string | null | undefined)[]) => [...new Set(names.filter(Boolean))].join(" · ");

type Refused = { note?: string; status?: number };

/** A payment as it stands; `refused` is why another code was not given. */
export async function showPayment(visit: PageVisit, found: Payment, refused: Refused = {}) {
  const { sale, status, secondsLeft, endsAt, seller, sellerOnPage, isTest, wayBack, ...payment } = found;
  const { token, words, pathOf, backPath } = visit;
  const sold = sale.checkout as SoldItems | null;
  const name = named(sold?.name, sold?.items[0]?.name) || (sale.description ?? "");
  const amount = Number(sale.amount);
  const offered = { name, description: null, image: null, amount, periodicityDays: null };
  const shown = { token, seller, ...onPage(sellerOnPage), ...offered, isTest };
  const offer = await findOffer(token).catch(orNothing);
  const isOpen = offer?.status === "open" && offer.methods.length > 0;
  const isRenewable = sale.subscriptionId
    ? payment.isOwed
    : isOpen && offer.methods.includes(methods[sale.method].renewedBy);
  const links = {
    renew: isRenewable ? pathOf({ payment: sale.id }) : null,
    offer: isOpen && !payment.isOfLiving ? pathOf() : null, // else it would be subscribed to twice
    again: isOpen && offer.kind === "payment_link" ? pathOf() : null,
    other: isOpen && offer.kind === "payment_link" && offer.methods.length > 1 ? pathOf({ replaces: sale.id }) : null,
    status: `/api/public/v1/checkout/${token}/status?payment=${sale.id}`,
    self: pathOf({ payment: sale.id }),
    back: status === "paid" && wayBack.returnUrl ? backPath : null,
  };
  const { id, method, pixCode, paidAt, endToEndId, cardLast4: last4, refundedAmount, refundedAt } = sale;
  const { automatic } = payment;
  const subscription = status === "paid" ? await subscriptionPaidBy(visit, found) : null;
  const paying = {
    subscription,
    id,
    status,
    method,
    amount,
    pixCode,
    secondsLeft,
    endsAt,
    paidAt,
    refunded: refundedAt && { amount: Number(refundedAmount), at: refundedAt },
    endToEndId,
    last4,
    automatic,
  };
  const page = paymentPage(words, shown, { ...paying, note: refused.note }, links);
  const content = status === "paid" ? page : withCancel(words, page, wayBack.cancelUrl && backPath);
  const reloadSeconds = status === "pending" ? RELOAD_SECONDS : null;
  return answerPage(visit, { content, shown, reloadSeconds, ...(refused.status && { status: refused.status }) });
}

/** What the receipt of a subscription's payment says of it; null for other payments. */
async function subscriptionPaidBy({ request }: PageVisit, { sale }: Payment) {
  const { accountId, subscriptionId: id } = sale;
  if (!id) return null;
  const { email, ...said } = await readAfterPayment(accountId, id);
  return { ...said, payer: payerPathFor(request, { accountId, id, email }) };
}

/** A payment is shown also when its page sells no more. */
function orNothing(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}
