import { type Html, html } from "@/browser/checkout/html";
import type { Shown } from "@/browser/checkout/page";
import { fill, type Words } from "@/browser/checkout/words";
import { qrOf } from "@/components/ui/qr";
import { type MethodName, methods } from "@/lib/methods/methods";

/** A payment as its page shows it; amount in cents. */
export type ShownPayment = {
  id: string;
  status: "pending" | "paid" | "expired" | "failed";
  method: MethodName;
  amount: number;
  pixCode: string | null;
  secondsLeft: number | null;
  /** When the code ends, by the account's clock, as every time of a payment. */
  endsAt: Date | null;
  paidAt: Date | null;
  /** What of it went back to its payer, in cents, and when for the last time; null where nothing did. */
  refunded: { amount: number; at: Date } | null;
  endToEndId: string | null;
  last4: string | null;
  /** Whether Pix Automático is authorised; null where the payment offers none. */
  automatic: "pending" | "authorised" | "off" | null;
  /** Why another code was not given. */
  note: string | undefined;
  /** Of a subscription that it paid: the day of the next charge or its last day, and the payer's own page of it. */
  subscription: {
    nextDay: string | null;
    endDay: string | null;
    isCancelled: boolean;
    /** Null in a browser that did not enrol: the payer has the address by mail. */
    payer: string | null;
  } | null;
};

type Links = {
  /** Where another code in place of this one is asked for; null where none is to be had. */
  renew: string | null;
  /** The page of the offer, where another payment can begin; null where it cannot. */
  offer: string | null;
  /** The same, where another payment makes sense after this one. */
  again: string | null;
  /** The form again, with this payment to be replaced. */
  other: string | null;
  /** Where the status is asked for, and this page itself. */
  status: string;
  self: string;
  /** The way back to the shop after the payment; null where there is none. */
  back: string | null;
};

/** One payment in the state that it is in. The script asks for its status, and loads it again when that changed. */
export function paymentPage(words: Words, shown: Shown, payment: ShownPayment, links: Links): Html {
  const { status } = payment;
  const watched = html`data-watch="${links.status}" data-self="${links.self}" data-status="${status}"`;
  if (status === "paid") return paid(words, shown, payment, links, watched);
  if (status === "expired") return expired(words, shown, payment, links, watched);
  if (status === "failed") return failed(words, shown, links);
  if (payment.pixCode) return pix(words, shown, payment, links, watched);
  return methods[payment.method].byCode ? making(words, shown, links, watched) : processing(words, shown, watched);
}

const summary = (money: Words["money"], { seller, name }: Shown, amount: number) =>
  html`<p class="amount">${money(amount)}</p>
<p class="muted summary"><span>${name}</span> <span>${seller}</span></p>`;

function pix(
  { texts, until, money }: Words,
  shown: Shown,
  payment: ShownPayment,
  { other, self }: Links,
  watched: Html,
): Html {
  const { qrPath, qrSize } = qrOf(payment.pixCode ?? "");
  const { secondsLeft, endsAt } = payment;
  return html`<section class="card centred" id="payment" ${watched} data-seconds="${secondsLeft}"
 data-five="${texts.pix.fiveMinutes}" data-one="${texts.pix.oneMinute}" data-over="${texts.pix.over}"
 data-waiting="${texts.pix.waiting}" data-reconnecting="${texts.pix.reconnecting}">
<h1 id="heading" tabindex="-1">${texts.pix.title}</h1>
${summary(money, shown, payment.amount)}
<div class="ways">
<div class="copy">
<button class="primary" type="button" id="copy" data-copied="${texts.pix.copied}">${texts.pix.copy}</button>
<label class="hidden" for="code">${texts.pix.code}</label>
<input id="code" value="${payment.pixCode}" readonly spellcheck="false">
<p class="muted on-phone">${texts.pix.paste}</p>
</div>
<div class="scan">
<svg class="qr" viewBox="0 0 ${qrSize} ${qrSize}" role="img" aria-label="${texts.pix.qr}" shape-rendering="crispEdges"><path d="${qrPath}"/></svg>
<p class="muted on-desktop">${texts.pix.scan}</p>
</div>
</div>
<p class="left">${endsAt && html`<span id="left" data-text="${texts.pix.left}">${fill(texts.pix.until, { time: until(endsAt, (secondsLeft ?? 0) < 3_600) })}</span>`}</p>
<p class="live"><span class="dot" aria-hidden="true"></span><span id="live">${texts.pix.waiting}</span></p>
<p class="muted with-script">${texts.pix.live}</p>
<p class="without-script"><a class="secondary" href="${self}">${texts.pix.reload}</a></p>
${other && html`<p><a id="other" href="${other}">${texts.pix.other}</a></p>`}
<p class="hidden" id="announce" role="status"></p>
</section>`;
}

/** The payer's bank has not answered about a card yet. */
const processing = (words: Words, shown: Shown, watched: Html) =>
  waiting(words, shown, words.texts.card, watched, html`<p class="muted">${words.texts.card.text}</p>`);

/** The rail has not made the code yet. */
function making(words: Words, shown: Shown, { other, self }: Links, watched: Html): Html {
  const { making: said, reload, other: otherWay } = words.texts.pix;
  return waiting(
    words,
    shown,
    said,
    html`${watched} data-awaits-code`,
    html`<p class="muted">${said.text}</p>
<p class="without-script"><a class="secondary" href="${self}">${reload}</a></p>
${other && html`<p><a id="other" href="${other}">${otherWay}</a></p>`}`,
  );
}

const waiting = (
  { texts, money }: Words,
  shown: Shown,
  { title }: { title: string },
  watched: Html,
  more: Html,
) => html`<section class="card centred" id="payment" ${watched}
 data-waiting="${title}" data-reconnecting="${texts.pix.reconnecting}">
<h1 id="heading" tabindex="-1">${title}</h1>
${summary(money, shown, shown.amount)}
<p class="live"><span class="dot" aria-hidden="true"></span><span id="live">${title}</span></p>
${more}
<p class="hidden" id="announce" role="status"></p>
</section>`;

/** The bank may answer to Pix Automático after it has paid: until then the page is watched on. */
function paid(words: Words, shown: Shown, payment: ShownPayment, { again, back }: Links, watched: Html): Html {
  const { texts, full, money, day } = words;
  const { id, amount, method, paidAt, refunded, endToEndId, last4, automatic, subscription } = payment;
  const isRefunded = refunded?.amount === amount;
  const isOver = subscription !== null && (subscription.isCancelled || subscription.endDay !== null);
  const facts: [string, string | null][] = [
    [texts.paid.seller, shown.seller],
    [texts.paid.what, shown.name],
    [texts.paid.amount, money(amount)],
    [texts.paid.method, last4 ? fill(texts.paid.card, { last4 }) : words.methods[method].name],
    [texts.paid.when, paidAt && full(paidAt)],
    [
      texts.paid.refunded,
      refunded && fill(texts.paid.refundedAt, { amount: money(refunded.amount), time: full(refunded.at) }),
    ],
    [texts.paid.next, subscription?.nextDay ? day(subscription.nextDay) : null],
    [texts.paid.ends, subscription?.endDay ? day(subscription.endDay) : null],
    [texts.paid.endToEnd, endToEndId],
    [texts.paid.id, id],
  ];
  return html`<section class="card centred receipt" id="payment" ${automatic === "pending" ? html`${watched} data-automatic="pending"` : html`data-status="paid"`}>
${!isRefunded && html`<svg class="check" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="M14 24.5l7 7 13-14"/></svg>`}
<h1 id="heading" tabindex="-1">${isRefunded ? texts.paid.refundedTitle : texts.paid.title}</h1>
<p class="amount">${money(amount)}</p>
${!isRefunded && html`<p class="muted">${fill(texts.paid.thanks, { seller: shown.seller })}</p>`}
${refunded && html`<p class="muted">${fill(methods[method].byCode ? texts.paid.backToAccount : texts.paid.backToCard, { amount: money(refunded.amount) })}</p>`}
${automatic && !isOver && html`<p class="muted">${texts.paid.automatic[automatic]}</p>`}
${back && wayBack(words, shown, back)}
<h2>${texts.paid.receipt}</h2>
<dl>${facts.filter(([, value]) => value).map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
${subscription && html`<p class="muted">${standingOf(words, subscription)}</p>`}
${subscription?.payer && html`<p class="on-screen"><a class="secondary" href="${subscription.payer}">${texts.paid.payerLink}</a></p>`}
${shown.isTest && html`<p class="muted">${texts.paid.test}</p>`}
<p class="with-script"><button class="secondary" type="button" id="print">${texts.paid.print}</button></p>
${again && html`<p class="on-screen"><a href="${again}">${texts.paid.again}</a></p>`}
<p class="hidden" id="announce" role="status"></p>
</section>`;
}

/** The way back to the shop. The script also leads there by itself, which it says and which can be stopped. */
const wayBack = ({ texts }: Words, { seller }: Shown, back: string) => html`<div class="back on-screen">
<a class="primary" id="back" href="${back}">${fill(texts.back.toShop, { seller })}</a>
<p class="muted" id="leaving" data-text="${texts.back.leaving}" data-stayed="${texts.back.stayed}" hidden></p>
<button class="secondary" type="button" id="stay" hidden>${texts.back.stay}</button>
</div>`;

/** How the subscription goes on: what was cancelled is not offered to be cancelled. */
function standingOf({ texts, day }: Words, { isCancelled, endDay, payer }: NonNullable<ShownPayment["subscription"]>) {
  if (isCancelled) return texts.paid.cancelled;
  if (endDay) return fill(texts.paid.ending, { day: day(endDay) });
  return payer ? texts.paid.payer : texts.paid.payerByMail;
}

const expired = (
  { texts, money }: Words,
  shown: Shown,
  { note }: ShownPayment,
  { renew, other, offer }: Links,
  watched: Html,
) => html`<section class="card centred" id="payment" ${watched}>
<h1 id="heading" tabindex="-1">${texts.expired.title}</h1>
${summary(money, shown, shown.amount)}
<p class="muted">${renew ? texts.expired.text : texts.expired.closed}</p>
${
  renew
    ? html`<form method="post" action="${renew}" data-offline="${texts.failures.offline}" data-busy="${texts.submit.busy}">
<input type="hidden" name="again" value="yes">
<p class="note form-note" id="form-note" role="alert">${note}</p>
<button class="primary" type="submit">${texts.expired.again}</button>
</form>`
    : offer && html`<p><a class="secondary" href="${offer}">${texts.expired.offer}</a></p>`
}
${other && html`<p><a href="${other}">${texts.pix.other}</a></p>`}
<p class="hidden" id="announce" role="status"></p>
</section>`;

const failed = (
  { texts, money }: Words,
  shown: Shown,
  { offer }: Links,
) => html`<section class="card centred" id="payment" data-status="failed">
<h1 id="heading" tabindex="-1">${texts.failed.title}</h1>
${summary(money, shown, shown.amount)}
<p class="muted">${texts.failed.text}</p>
${offer && html`<p><a class="primary" href="${offer}">${texts.failed.again}</a></p>`}
</section>`;
