import type { Html } from "@/browser/checkout/html";
import { checkoutPage, notice, type Shown } from "@/browser/checkout/page";
import { type Words, wordsIn } from "@/browser/checkout/words";
import { AppError, renderError } from "@/lib/errors";
import { clientAddress } from "@/lib/http/client-address";
import { policyHeaders } from "@/lib/http/csp-reports";
import { hardening } from "@/lib/http/hardening";
import type { Intent } from "@/lib/idempotency";
import { newSecret } from "@/lib/ids";
import { preferredLocale } from "@/lib/locale/preferred-locale";
import { log } from "@/lib/log";
import { type Tracked, trackedIn } from "@/lib/transactions/tracking";
import { locales } from "@/messages";

/** A request of the checkout's page, and how its visitor reads. */
export type PageVisit = {
  request: Request;
  requestId: string;
  token: string;
  /** The payment that the address names. */
  payment: string | null;
  /** The visitor's own open payment, which another one is to replace. */
  replaces: string | null;
  words: Words;
  /** The path of this page with other parameters; the language that was asked for stays. */
  pathOf(params?: Record<string, string>): string;
  /** The path that leads back to the shop, after a payment or without one. */
  backPath: string;
  otherLanguage: string;
  ip: string;
  userAgent: string;
  /** Where the visitor came from, as the address of the page says. */
  tracked: Tracked;
};

/** The visit of a request to the page of a token, or to another page of the checkout, at `base`. */
export function visitOf(
  request: Request,
  token: string,
  requestId: string,
  base = `/checkout/${encodeURIComponent(token)}`,
): PageVisit {
  const { searchParams: asked } = new URL(request.url);
  const lang = locales.find((locale) => locale === asked.get("lang"));
  const locale = lang ?? preferredLocale(request.headers.get("accept-language") ?? "");
  const [payment, replaces] = [asked.get("payment"), asked.get("replaces")];
  const path = (params: Record<string, string>) => {
    const query = new URLSearchParams(params).toString();
    return `${base}${query && `?${query}`}`;
  };
  const lead = { ...(payment && { payment }), ...(lang && { lang }) };
  const deed = asked.get("do");
  const tracked = trackedIn(asked);
  const same = { ...tracked, ...(payment && { payment }), ...(replaces && { replaces }), ...(deed && { do: deed }) };
  return {
    ...{ request, requestId, token, payment, replaces, words: wordsIn(locale) },
    pathOf: (params = {}) => path({ ...params, ...(lang && { lang }) }),
    backPath: `${base}/back?${new URLSearchParams(lead)}`.replace(/\?$/, ""),
    otherLanguage: path({ ...same, lang: locale === "en" ? "pt-BR" : "en" }),
    tracked,
    ip: clientAddress(request),
    userAgent: request.headers.get("user-agent")?.slice(0, 500) ?? "",
  };
}

/** The request that a form of the page is received by: it has no key. */
export const intentOf = ({ requestId }: PageVisit): Intent => ({ idem: undefined, requestId });

type Page = {
  content: Html;
  shown: Shown | null;
  /** Of a page that shows nothing that is sold. */
  title?: string;
  /** What its main part is called, where that is not the payment. */
  main?: string;
  status?: number;
  reloadSeconds?: number | null;
  retryAfterMs?: number;
};

export function answerPage({ words, otherLanguage }: PageVisit, page: Page): Response {
  const { content, shown, title, main, status = 200, reloadSeconds, retryAfterMs } = page;
  const nonce = newSecret();
  const text = checkoutPage({ nonce, words, otherLanguage, shown, title, main, reloadSeconds }, content);
  const headers = {
    ...headersFor(nonce),
    "content-language": words.locale,
    ...(retryAfterMs !== undefined && { "retry-after": String(Math.ceil(retryAfterMs / 1000)) }),
  };
  return new Response(text, { status, headers });
}

const headersFor = (nonce: string) => ({
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  vary: "Accept-Language, Accept-Encoding", // the host compresses it
  ...policyHeaders([
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]),
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
  ...hardening,
});

/** The browser loads a payment's page, also when the visitor reloads it. `cookie` is kept for it. */
export const seeOther = ({ pathOf }: PageVisit, payment: string, cookie?: string) =>
  seePage(pathOf({ payment }), cookie ? { "set-cookie": cookie } : {});

/** The browser loads another page of ours, also when the visitor reloads it. */
export const seePage = (location: string, headers: Record<string, string> = {}) =>
  new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", ...hardening, ...headers },
  });

/** The page in place of one that cannot be shown. All that is not there looks the same, whatever the cause. */
export function answerFailure(visit: PageVisit, error: unknown): Response {
  const { texts } = visit.words;
  const failure = error instanceof AppError ? error : new AppError("unavailable", { cause: error });
  if (failure !== error) log.error({ requestId: visit.requestId, error }, "the checkout failed");
  const { status } = renderError(failure, visit.requestId);
  const said = status === 404 ? texts.missing : status === 429 ? texts.limited : texts.unavailable;
  const { retryAfterMs } = failure.options;
  return answerPage(visit, {
    ...{ content: notice(said), shown: null, title: said.title, status },
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}
