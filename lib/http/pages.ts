import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { callbackCookieName, realmOf, sessionCookieName, sessionIdOf } from "@/lib/auth/session-cookie";
import { signInPath } from "@/lib/auth/sign-in-path";
import { isUnavailable } from "@/lib/db";
import { AppError, errorBody, errors } from "@/lib/errors";
import { addressOf } from "@/lib/http/client-address";
import { policyHeaders } from "@/lib/http/csp-reports";
import { nameRoute } from "@/lib/http/measure";
import { cookiesOf, type Look, lookOf, memory } from "@/lib/http/page-memory";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { limitKey } from "@/lib/net/address";
import { spendSlot } from "@/lib/rate-limits/spend-slot";

/** The largest body of sign-in or sign-out. Next gets no other bodies. */
const MAX_BYTES = 8_000;
const FORM = /^application\/x-www-form-urlencoded\b/;

/** The routes of next-auth that our pages call, of sellers and of the staff; all others are refused. */
export const signInRoutes: Record<string, readonly string[]> = Object.fromEntries(
  ["/api/auth", "/api/operator-auth"].flatMap((base) => [
    [`${base}/csrf`, ["GET", "HEAD"]],
    [`${base}/providers`, ["GET", "HEAD"]],
    [`${base}/session`, ["GET", "HEAD"]],
    [`${base}/callback/credentials`, ["POST"]],
    [`${base}/signout`, ["POST"]],
  ]),
);

/** The request headers that Next gets. We need no others, and Next would act on some of them. */
const PASSED = new Set([
  ...["host", "connection", "cookie", "user-agent", "origin", "referer", "sec-fetch-dest"],
  ...["accept", "accept-encoding", "accept-language", "content-type", "content-length"],
  ...["if-none-match", "if-modified-since", "x-forwarded-for"],
  ...["rsc", "next-router-prefetch", "next-router-segment-prefetch", "next-router-state-tree", "next-url"],
]);

/** Headers that Next does not get in development either, because only proxies and Next itself set them. */
const NEVER_PASSED = /^x-(forwarded-(?!for$)|middleware-|invoke-|matched-|nextjs-)/;

/** The card fields, the checkout and products' images have policies of their own. In development they pass through here too. */
const HAS_ITS_OWN = /^\/(fields(\?|$)|checkout\/|images\/)/;

/** After this time a page that failed is loaded again. */
const RETRY_MS = 10_000;

/** Next's own page for an unknown path. */
const NOWHERE = "/_not-found";

/** A parameter of a page's path, and what stands for it where one rendering serves everybody: never a link's secret. */
const PARAMETER = /\[\w+\]/g;
const NOBODYS = "0";

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** A page: its path as Next spells it, and whether a visitor who is not signed in may see it. */
type PagePath = { path: string; isOpen: boolean };

type Options = {
  dev: boolean;
  paths: readonly PagePath[];
  /** The addresses of all files that Next serves. */
  files: ReadonlySet<string>;
  /** The page in place of one that a person is refused for now, with its reload after so many seconds. */
  waitingPage: (look: Look, refused: Refused) => string;
};

/** Why a page waits: too many requests, or a failure of ours, which has the id of its request. */
export type Refused = { status: number; seconds: number; requestId: string };

/**
 * Decides what Next gets: the files, the routes of sign-in and, for a visitor who is signed in, the pages that exist;
 * everything else is refused. A visitor who is not signed in gets open pages from memory, and is sent to sign in by all
 * other pages. Each page gets a fresh nonce with the content security policy that names it (Next reads it from the
 * request and puts it on its scripts), and the path for links back after sign-in.
 */
export function pages(handle: Handle, { dev, paths, files, waitingPage }: Options) {
  const find = finder(paths);
  const remembered = memory();

  return (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader("x-request-id", newId());
    const { "x-forwarded-for": forwarded = null } = request.headers; // Next would trust the client's value
    request.headers["x-forwarded-for"] = addressOf(
      request.socket.remoteAddress ?? "0.0.0.0",
      forwarded && String(forwarded),
    );
    const served = dev ? pass(request, response) : serve(request, response);
    served.catch((error) => {
      if (error instanceof AppError) return refuse(request, response, error);
      log.error({ error }, "a page failed");
      if (response.headersSent) return response.destroy();
      return refuse(request, response, new AppError(isUnavailable(error) ? "unavailable" : "internal"));
    });
  };

  /** A person who is refused for now gets a page that waits and loads again by itself; programs get JSON. */
  function refuse(request: IncomingMessage, response: ServerResponse, error: AppError) {
    const [status] = errors[error.code];
    const isForNow = status === 429 || status >= 500;
    if (!isForNow || !isDocument(request)) return answer(response, error);
    const seconds = Math.ceil((error.options.retryAfterMs ?? RETRY_MS) / 1000);
    const requestId = String(response.getHeader("x-request-id"));
    for (const [name, value] of Object.entries(policyHeaders(policyOf(newNonce(), dev)))) {
      response.setHeader(name, value);
    }
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "retry-after": String(seconds),
      refresh: String(seconds), // a meta element would do the same, but axe cannot know why
    };
    response.writeHead(status, headers).end(waitingPage(lookOf(request), { status, seconds, requestId }));
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = "/"] = (request.url ?? "/").split("?", 1);
    const { method = "" } = request;
    for (const name of Object.keys(request.headers)) if (!PASSED.has(name)) delete request.headers[name];
    if (signInRoutes[path]) {
      nameRoute(request, path);
      return serveSignIn(path, request, response);
    }

    const page = find(path.length > 1 ? path.replace(/\/$/, "") : path);
    if (page || files.has(path)) nameRoute(request, page?.path ?? "a file");
    if (method === "POST" && page?.isOpen) return redirect(response, 303, path); // a form sent before its script was loaded
    if (!["GET", "HEAD"].includes(method)) {
      const known = page || files.has(path);
      return answer(response, new AppError(known ? "method_not_allowed" : "not_found", { allow: "GET, HEAD" }));
    }
    if (files.has(path)) return passOn(path, request, response);
    if (!page) return fromMemory(NOWHERE, request, response);
    const session = await sessionIdOf(cookiesOf(request).get(sessionCookieName(realmOf(path))));
    if (session) {
      await spendSlot(isAhead(request.headers) ? "page-ahead" : "page-session", session);
      const isReadable = isState(request.headers["next-router-state-tree"]);
      return isReadable ? pass(request, response) : answer(response, new AppError("invalid_json"));
    }
    if (page.isOpen && page.path !== "/") return fromMemory(page.path, request, response);
    return redirect(response, 307, signInPath(request.url ?? "/"));
  }

  /** Our pages use nothing that next-auth reads from a query or keeps in a cookie of its own, so both are removed. */
  async function serveSignIn(path: string, request: IncomingMessage, response: ServerResponse) {
    const methods = signInRoutes[path] ?? [];
    const { method = "", headers } = request;
    if (!methods.includes(method))
      return answer(response, new AppError("method_not_allowed", { allow: methods.join(", ") }));
    if (method === "POST") {
      if (isTooLarge(headers)) return answer(response, new AppError("payload_too_large"));
      if (!FORM.test(headers["content-type"] ?? "")) return answer(response, new AppError("unsupported_media_type"));
    }
    await spendSlot("sign-in-call-address", limitKey(String(headers["x-forwarded-for"])));
    const cookies = cookiesOf(request);
    cookies.delete(callbackCookieName());
    headers.cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return passOn(path, request, response);
  }

  /** Visitors with the same language and theme get one answer; Next renders it once. */
  async function fromMemory(path: string, request: IncomingMessage, response: ServerResponse) {
    const look = lookOf(request);
    const nonce = newNonce();
    const policy = policyHeaders(policyOf(nonce, false));
    if (await remembered.send(path, look, { request, response, nonce, policy })) return undefined;
    remembered.listen(path, look, response, nonce);
    request.method = "GET";
    request.headers = { host: request.headers.host, cookie: cookieFor(look) };
    return passOn(path.replaceAll(PARAMETER, NOBODYS), request, response, nonce);
  }

  function passOn(path: string, request: IncomingMessage, response: ServerResponse, nonce?: string) {
    request.url = path;
    return pass(request, response, nonce);
  }

  async function pass(request: IncomingMessage, response: ServerResponse, nonce = newNonce()) {
    const policy = policyHeaders(policyOf(nonce, dev));
    for (const name of Object.keys(request.headers)) if (NEVER_PASSED.test(name)) delete request.headers[name];
    Object.assign(request.headers, {
      "content-security-policy": policy["content-security-policy"],
      "x-nonce": nonce,
      "x-path": request.url ?? "/",
    });
    if (!HAS_ITS_OWN.test(request.url ?? "")) {
      for (const [name, value] of Object.entries(policy)) response.setHeader(name, value);
    }
    return handle(request, response);
  }
}

const newNonce = () => randomBytes(16).toString("base64");
const cookieFor = ({ locale, theme }: Look) => `locale=${locale}; theme=${theme}`;

/** Whether Next can parse the state that its router sent; it answers 500 to one that it cannot parse. */
function isState(header: string | string[] | undefined): boolean {
  if (header === undefined) return true;
  try {
    return Array.isArray(JSON.parse(decodeURIComponent(String(header))));
  } catch {
    return false;
  }
}

/** Whether a browser opens a page with this request. The router of a page that is open asks for data instead. */
const isDocument = ({ method, headers }: IncomingMessage) =>
  method === "GET" && headers.rsc === undefined && /\btext\/html\b/.test(headers.accept ?? "");

/** Whether a page's router fetches another page before anybody goes there. */
const isAhead = (headers: IncomingMessage["headers"]) => headers["next-router-prefetch"] !== undefined;

/** The first part of the dashboard's page paths. Their former addresses did not have it (next.config.ts). */
const ACCOUNT = "/[account]/";

/** Makes a function that finds the page of a path. Parameters are ids, so none can be read as another path. */
function finder(paths: readonly PagePath[]) {
  const former = paths.filter(({ path }) => path.startsWith(ACCOUNT));
  const known = [...paths, ...former.map((page) => ({ ...page, path: page.path.slice(ACCOUNT.length - 1) }))];
  const patterns = known.map((page) => ({
    page,
    pattern: new RegExp(`^${page.path.replaceAll(PARAMETER, "[\\w-]{1,200}")}$`),
  }));
  return (path: string) => patterns.find(({ pattern }) => pattern.test(path))?.page;
}

function redirect(response: ServerResponse, status: number, location: string) {
  response.writeHead(status, { location, "cache-control": "no-store", "content-length": 0 }).end();
}

function answer(response: ServerResponse, error: AppError) {
  const { status, body } = errorBody(error, String(response.getHeader("x-request-id")));
  const { allow, retryAfterMs } = error.options;
  const headers = {
    "content-type": "application/json",
    connection: "close",
    ...(status === 405 && { allow }),
    ...(retryAfterMs && { "retry-after": String(Math.ceil(retryAfterMs / 1000)) }),
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

/** Whether a form is too large, or has no length. */
const isTooLarge = (headers: IncomingMessage["headers"]) =>
  headers["content-length"] === undefined || Number(headers["content-length"]) > MAX_BYTES;

function policyOf(nonce: string, dev: boolean): string[] {
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${dev ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
}
