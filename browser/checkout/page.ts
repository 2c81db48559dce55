import { look, script } from "@/browser/checkout/browser.generated";
import { type Html, html, raw } from "@/browser/checkout/html";
import { marked } from "@/browser/checkout/masks";
import { fill, type Words } from "@/browser/checkout/words";

/** What is sold, as the page shows it; amount in cents. */
export type Shown = {
  token: string;
  seller: string;
  /** The path of the seller's picture on our own origin. */
  sellerImage: string | null;
  /** Whom the payer asks; the page's foot says so. */
  support: { email: string | null; phone: string | null } | null;
  name: string;
  description: string | null;
  /** The path of its picture on our own origin. */
  image: string | null;
  amount: number;
  periodicityDays: number | null;
  /** Whether its period is one of calendar months, as those of Pix Automático are. */
  isInMonths?: boolean;
  isTest: boolean;
};

export type PageOptions = {
  nonce: string;
  words: Words;
  /** The same page in the other language. */
  otherLanguage: string;
  shown: Shown | null;
  /** Of a page that shows nothing that is sold. */
  title?: string | undefined;
  /** What its main part is called, where that is not the payment. */
  main?: string | undefined;
  /** The seconds after which a browser without scripts loads the page again; null where nothing will change. */
  reloadSeconds?: number | null | undefined;
};

/** A state of the checkout as a whole page: markup, look and script are in one answer. */
export function checkoutPage(
  { nonce, words, otherLanguage, shown, title = "", main, reloadSeconds }: PageOptions,
  content: Html,
): string {
  const { texts, locale } = words;
  const name = shown ? fill(texts.title, { name: shown.name, seller: shown.seller }) : title;
  const page = html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<meta name="description" content="${shown ? fill(texts.from, { seller: shown.seller }) : name}">
<meta name="theme-color" content="#fbfbf9" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#101214" media="(prefers-color-scheme: dark)">
<link rel="icon" href="data:,">
<title>${shown?.isTest && `[${texts.test}] `}${name}</title>
<style nonce="${nonce}">${raw(look)}</style>
${reloadSeconds && html`<noscript><meta http-equiv="refresh" content="${reloadSeconds}"></noscript>`}
</head>
<body>
${shown?.isTest && html`<header class="band">${texts.testBand}</header>`}
<main id="main" tabindex="-1" aria-label="${main ?? texts.main}">
${content}
</main>
<footer>
${shown?.support && supportOf(words, shown.seller, shown.support)}
<span>${texts.foot}</span>
<a href="${otherLanguage}" lang="${locale === "en" ? "pt-BR" : "en"}">${texts.language}</a>
</footer>
<script nonce="${nonce}">${raw(script)}</script>
</body>
</html>
`;
  return page.html;
}

/** Whom the payer asks about what they bought. */
const supportOf = ({ texts }: Words, seller: string, { email, phone }: NonNullable<Shown["support"]>) =>
  html`<p class="support">${fill(texts.support, { seller })}${email && html` <a href="mailto:${email}">${email}</a>`}${phone && html` <a href="tel:${phone.startsWith("+") ? phone : `+55${phone}`}">${marked("phone", phone)}</a>`}</p>`;

/** Who sells, what is sold, and for how much. */
export const offerHead = (
  { texts, period, money }: Words,
  { seller, sellerImage, name, description, image, amount, ...shown }: Shown,
) =>
  html`<header class="offer">
<p class="seller">${initialOf(seller, sellerImage)}${fill(texts.from, { seller })}</p>
<div class="what">
${image && html`<img src="${image}" alt="" width="64" height="64">`}
<div>
<h1>${name}</h1>
${description && html`<p class="description">${description}</p>`}
</div>
</div>
<p class="amount">${money(amount)}${shown.periodicityDays && html` <small>${period(shown.periodicityDays, shown.isInMonths)}</small>`}</p>
</header>`;

/** The seller's picture, or the first letter of its name. */
const initialOf = (seller: string, image: string | null) =>
  image
    ? html`<img class="initial" src="${image}" alt="" width="28" height="28">`
    : html`<span class="initial" aria-hidden="true">${[...seller.trim()][0]?.toUpperCase() ?? ""}</span>`;

/** The page with the way back to the shop for who does not pay; without one it is the page alone. */
export const withCancel = ({ texts }: Words, content: Html, path: string | null) =>
  path === null
    ? content
    : html`${content}
<p class="way-back"><a href="${path}">${texts.back.cancel}</a></p>`;

type Notice = { title: string; text: string; isAlert?: boolean };

/** A page that says one thing. */
export const notice = ({ title, text }: Notice) => html`<section class="card centred">
<h1>${title}</h1>
<p class="muted" id="notice">${text}</p>
</section>`;

/** The same under the offer that it is about. */
export const closedOffer = (head: Html, { title, text }: Notice) => html`${head}
<section class="card centred">
<h2>${title}</h2>
<p class="muted">${text}</p>
</section>`;
