import { cardFields } from "@/browser/checkout/form";
import { type Html, html } from "@/browser/checkout/html";
import { offerHead, type Shown } from "@/browser/checkout/page";
import { fill, type Words } from "@/browser/checkout/words";
import { type BillingName, methodNames } from "@/lib/methods/methods";

type Texts = Words["texts"]["subscription"];

/** A subscription as its payer's page shows it. Amounts in cents, days as YYYY-MM-DD. */
export type ShownSubscription = {
  /** The seller's e-mail. */
  contact: string;
  status: keyof Texts["statuses"];
  plan: string;
  product: string | null;
  method: BillingName;
  card: { brand: string; last4: string } | null;
  /** What is owed now, and where it is paid; `isDue` where a new card is charged for it at once. */
  owed: { amount: number; href: string | null; isDue: boolean } | null;
  nextDay: string | null;
  /** The last day that is paid for. */
  paidUntil: string | null;
  endDay: string | null;
  charges: {
    amount: number;
    status: keyof Texts["charge"];
    dueDay: string;
    paidDay: string | null;
    href: string | null;
  }[];
};

/** Where the page leads; null for what the subscription's status does not allow. */
export type SubscriptionLinks = { self: string; cancel: string | null; card: string | null };

/** The subscription as it stands, what it has charged, and what its payer may do. `note` is what was just done. */
export function subscriptionPage(
  words: Words,
  shown: Shown,
  subscription: ShownSubscription,
  { cancel, card }: SubscriptionLinks,
  note: string | null,
): Html {
  const { texts, day, money } = words;
  const t = texts.subscription;
  const { status, owed, charges } = subscription;
  const facts: [string, string | null][] = [
    [t.status, fill(t.statuses[status], { seller: shown.seller })],
    [t.next, subscription.nextDay && day(subscription.nextDay)],
    [t.ends, subscription.endDay && day(subscription.endDay)],
    [t.method, methodOf(words, subscription)],
    [t.product, subscription.product],
    [t.plan, subscription.plan],
  ];
  return html`${offerHead(words, shown)}
<section class="card" id="subscription">
<h2 id="heading" tabindex="-1">${t.title}</h2>
${note && html`<p class="done" role="status">${note}</p>`}
<dl>${facts.filter(([, value]) => value).map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
${owed?.isDue && html`<p>${fill(t.owed, { amount: money(owed.amount) })}</p>`}
${owed?.href && html`<a class="primary" href="${owed.href}">${fill(t.pay, { amount: money(owed.amount) })}</a>`}
${card && html`<a class="secondary" href="${card}">${t.card}</a>`}
${cancel && html`<a class="secondary" href="${cancel}">${t.cancel}</a>`}
${contactOf(words, shown, subscription)}
<p class="muted">${t.keep}</p>
</section>
${charges.length > 0 && html`<section class="card"><h2>${t.charges}</h2><ul class="charges">${charges.map((one) => charge(words, one))}</ul></section>`}`;
}

/** Where the payer asks the seller. */
const contactOf = ({ texts }: Words, { seller }: Shown, { contact }: ShownSubscription) =>
  html`<p class="contact">${fill(texts.subscription.contact, { seller })} <a href="mailto:${contact}">${contact}</a></p>`;

function charge(
  { texts, money, day }: Words,
  { amount, status, dueDay, paidDay, href }: ShownSubscription["charges"][number],
) {
  const t = texts.subscription;
  const words = fill(t.charge[status], { day: day(paidDay ?? dueDay) });
  return html`<li><span><b>${money(amount)}</b> <small class="muted">${words}</small></span>
${status === "paid" && href && html`<a href="${href}" aria-label="${t.receipt}: ${money(amount)}, ${words}">${t.receipt}</a>`}</li>`;
}

const brandOf = (brand: string) => brand.charAt(0).toUpperCase() + brand.slice(1);

const cardOf = ({ texts }: Words, { brand, last4 }: { brand: string; last4: string }) =>
  fill(texts.subscription.methods.card, { brand: brandOf(brand), last4 });

const methodOf = (words: Words, { method, card }: ShownSubscription) =>
  card ? cardOf(words, card) : words.texts.subscription.methods[method];

type Form = { self: string; action: string; note: string | null };

/** What cancelling does, and the button that does it. */
export function cancelPage(
  words: Words,
  shown: Shown,
  subscription: ShownSubscription,
  { self, action, note }: Form,
): Html {
  const { texts, day, money } = words;
  const { status, paidUntil, owed } = subscription;
  const t = texts.subscription;
  const until = status === "active" && paidUntil;
  return html`${offerHead(words, shown)}
<section class="card" id="subscription">
<h2 id="heading" tabindex="-1">${t.cancelling.title}</h2>
<p>${until ? fill(t.cancelling.later, { day: day(until) }) : t.cancelling.now}</p>
${owed && html`<p>${fill(t.cancelling.owed, { amount: money(owed.amount) })}</p>`}
<p class="muted">${t.cancelling.refund}</p>
${contactOf(words, shown, subscription)}
<form class="act" method="post" action="${action}" data-offline="${texts.failures.offline}" data-busy="${texts.submit.busy}">
<input type="hidden" name="act" value="cancel">
<p class="note form-note" id="form-note" role="alert">${note}</p>
<button class="primary danger" type="submit">${t.cancelling.act}</button>
<a class="secondary" href="${self}">${t.back}</a>
</form>
</section>`;
}

/** The card fields for a new card, and what it will be charged. Without its script it is only a text. */
export function cardPage(
  words: Words,
  shown: Shown,
  { owed, nextDay, card }: ShownSubscription,
  { self, action, note, publicKey }: Form & { publicKey: string },
): Html {
  const { texts, day, money, period } = words;
  const t = texts.subscription.replacing;
  const due = owed?.isDue ? money(owed.amount) : null;
  const act = due ? fill(t.actNow, { amount: due }) : t.act;
  const amount = money(shown.amount);
  return html`${offerHead(words, shown)}
<section class="card" id="subscription">
<h2 id="heading" tabindex="-1">${t.title}</h2>
<p>${due ? fill(t.now, { amount: due }) : nextDay ? fill(t.later, { day: day(nextDay) }) : t.none}</p>
${card && html`<p class="muted">${fill(t.old, { card: cardOf(words, card) })}</p>`}
<form class="act" id="pay" data-ways="replace" method="post" action="${action}" novalidate data-offline="${texts.failures.offline}"
 data-busy="${texts.submit.busy}" data-invalid="${texts.failures.invalid}"${methodNames.map((name) => html` data-${name}="${act}"`)}>
<input type="hidden" name="act" value="card">
<input type="hidden" name="method" value="card">
${cardFields(words, { publicKey, methods: ["card"], note: undefined })}
<p class="muted" id="consent">${fill(t.consent, { seller: shown.seller, amount, period: period(shown.periodicityDays ?? 0) })}</p>
<p class="note form-note" id="form-note" role="alert">${note}</p>
<button class="primary with-script" type="submit">${act}</button>
<a class="secondary" href="${self}">${texts.subscription.back}</a>
</form>
</section>`;
}
