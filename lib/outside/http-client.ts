import { createHash } from "node:crypto";
import { createSecureContext } from "node:tls";
import { Agent, type Dispatcher, ProxyAgent, request } from "undici";
import { log } from "@/lib/log";
import { countCall, type Outcome } from "@/lib/monitoring/metrics";
import { type OAuth, type Token, tokenFor, tokenNameOf } from "@/lib/outside/token";
import { realNow } from "@/lib/time/clock";

/** The time limits of a call and of a look-up, for the whole answer. Tests shorten them. */
export const timeouts = { callMs: 8_000, findMs: 5_000 };

/** The status of a request that was surely not sent: no connection was made, or no token was given for it. */
export const UNREACHED = 0;

/** The status of a request that came too soon after others. It was not served. */
export const TOO_MANY = 429;

/** How long a connection may take. undici counts a request's time only from its connection on. */
const CONNECT_MS = 3_000;
/** The largest answer in bytes: a page of a thousand payments, each with what went back of it, has less. */
const MAX_ANSWER = 4_000_000;
/** How many connections a client has at most: a provider that answers slowly has a queue, and not ever more of them. */
const CONNECTIONS = 64;
/** How long a provider's Retry-After counts at most. */
const MAX_RETRY_AFTER_MS = 15 * 60_000;

/** Why a request was not sent. The last group is a server whose certificate is not the one that we trust. */
const NOT_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/;

/** How a provider is reached. */
export type Settings = {
  /** The provider's name in figures, and of its token. */
  provider: string;
  /** The address before every path, without a slash at its end. */
  baseUrl: string;
  /** Headers of every request, such as a fixed credential. */
  headers?: Record<string, string>;
  /** The client's certificate with its key, and the authority that signs the provider's, in PEM. */
  tls?: Tls;
  /** Where tokens come from, for a provider with OAuth. */
  oauth?: OAuth;
  /** The URL of the HTTP proxy on the way. */
  proxy?: string;
};

type Tls = { cert?: string; key?: string; ca?: string };

export type Sent = { method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"; body?: string | undefined };
type Asked = Sent & {
  headers?: Record<string, string>;
  /** Ends the whole request, with what it waits for its token. */
  signal: AbortSignal;
  /** What is asked, for the figures. Of each provider there are few, and none holds an id. */
  kind: string;
};
/** `retryAfterMs` is how long the provider wants to be left alone, where it says so. */
export type Answer = {
  status: number;
  json: unknown;
  retryAfterMs?: number;
  /** Why a request was not sent: the code of the error, or `TOKEN_<status>` where no token was given for it. */
  why?: string;
};
export type HttpClient = (path: string, asked: Asked) => Promise<Answer>;

/**
 * Makes the client of one provider, with connections of its own. The settings are read at each request, because a build
 * has none.
 *
 * The client resolves to the status and the JSON of the answer; the JSON is undefined for an empty one. It sends once: it
 * follows no redirect and repeats at no status, except at 401 with a new token, because what was not authorised was not
 * done. Throws where there is no answer, or one that is not JSON or too large. The error has a text of ours, because the
 * original text may quote what was sent, and the original's code.
 */
export function httpClient(settings: () => Settings): HttpClient {
  const connections = newConnections();

  return async (path, { kind, headers, ...sent }) => {
    const at = settings();
    const startedAt = performance.now();
    const count = (outcome: Outcome) =>
      countCall({ provider: at.provider, kind, outcome }, performance.now() - startedAt);
    try {
      const dispatcher = connections(at);
      const url = `${at.baseUrl}${path}`;
      const all = { "content-type": "application/json", ...at.headers, ...headers };
      const send = (token?: Token) =>
        sendOnce(url, {
          ...sent,
          dispatcher,
          headers: token ? { ...all, authorization: `Bearer ${token.value}` } : all,
        });
      const answer = await (at.oauth ? withToken(at, at.oauth, { dispatcher, signal: sent.signal }, send) : send());
      if (answer.status === UNREACHED) log.warn({ provider: at.provider, kind }, "a provider was not reached");
      count(outcomeOf(answer));
      return answer;
    } catch (error) {
      count("no_answer");
      throw error;
    }
  };
}

function outcomeOf({ status }: Answer): Outcome {
  if (status === UNREACHED) return "unreached";
  if (status >= 500) return "failed";
  return status >= 400 ? "refused" : "answered";
}

type Way = { dispatcher: Dispatcher; signal: AbortSignal };

/**
 * Sends with the provider's token, and once more with a new one where that token is no longer accepted, but not where it is the
 * new one itself.
 */
async function withToken(
  { provider, tls }: Settings,
  oauth: OAuth,
  way: Way,
  send: (token: Token) => Promise<Answer>,
): Promise<Answer> {
  const name = tokenNameOf(provider, oauth, tls?.cert);
  // Others wait for the same token, so the request for it does not end with this one.
  const askToken = (asked: Sent & { headers: Record<string, string> }) =>
    sendOnce(oauth.tokenUrl, { ...asked, ...way, signal: AbortSignal.timeout(timeouts.findMs) });
  const ask = (refused?: Token) =>
    tokenFor(name, oauth, { ask: askToken, signal: way.signal, refused }).catch((error) => {
      log.warn({ provider, error }, "a provider gave no token");
      return { why: codeOf(error) };
    });
  const token = await ask();
  if ("why" in token) return { status: UNREACHED, json: undefined, why: token.why };
  const answer = await send(token);
  if (answer.status !== 401 || realNow().getTime() < token.keptUntil) return answer;
  const next = await ask(token);
  return "why" in next ? answer : send(next);
}

type Request = Sent & Way & { headers: Record<string, string> };

async function sendOnce(url: string, { body, ...sent }: Request): Promise<Answer> {
  try {
    const response = await request(url, { ...sent, body: body ?? null });
    const text = await response.body.text();
    const { statusCode: status } = response;
    const retryAfterMs = retryAfterOf(response.headers["retry-after"]);
    const isRead = text !== "" && (status !== TOO_MANY || isJson(response.headers["content-type"]));
    const json = isRead ? (JSON.parse(text) as unknown) : undefined;
    return { status, json, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  } catch (error) {
    const { name } = error as Error;
    const code = codeOf(error);
    if (NOT_SENT.test(code)) return { status: UNREACHED, json: undefined, why: code };
    throw Object.assign(new Error(`The provider gave no answer: ${name} ${code}`.trimEnd()), { code });
  }
}

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? "");

/** Who counts requests is often a server in between, which writes a page. */
const isJson = (type: unknown) => /json/.test(String(type));

/** A pause in seconds or until an instant (RFC 9110, section 10.2.3), at least a second. */
function retryAfterOf(header: string | string[] | undefined): number | undefined {
  if (typeof header !== "string") return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - realNow().getTime();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 1_000), MAX_RETRY_AFTER_MS);
}

/**
 * Keeps the connections of one client. Where a certificate, the authority or the proxy has changed, new requests get new
 * connections, and the old ones are closed when what they carry is answered. A certificate that cannot be used changes
 * nothing.
 */
function newConnections() {
  let open: { mark: string; dispatcher: Dispatcher } | undefined;
  let refused = "";

  return ({ provider, tls = {}, proxy }: Settings): Dispatcher => {
    const mark = createHash("sha256")
      .update(JSON.stringify([proxy, tls]))
      .digest("hex");
    if (open && (open.mark === mark || refused === mark)) return open.dispatcher;
    try {
      createSecureContext(tls);
      const before = open;
      open = { mark, dispatcher: dispatcherOf(tls, proxy) };
      before?.dispatcher.close().catch(() => {});
      return open.dispatcher;
    } catch (error) {
      const { code = "" } = error as NodeJS.ErrnoException;
      log.error({ provider, code }, "the certificate of a provider's client cannot be used");
      if (!open) throw new Error(`The certificate of the client cannot be used: ${code}`.trimEnd());
      refused = mark;
      return open.dispatcher;
    }
  };
}

function dispatcherOf(tls: Tls, proxy: string | undefined): Dispatcher {
  const connect = { ...tls, timeout: CONNECT_MS };
  if (!proxy) return new Agent({ connect, connections: CONNECTIONS, maxResponseSize: MAX_ANSWER });
  return new ProxyAgent({
    connections: CONNECTIONS,
    uri: proxy,
    requestTls: connect,
    proxyTls: { timeout: CONNECT_MS },
    maxResponseSize: MAX_ANSWER,
  });
}
