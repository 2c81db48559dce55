import { Client, type Dispatcher } from "undici";
import { withinMs } from "@/lib/concurrency/time-limit";
import {
  ADDRESS_NOT_ALLOWED,
  guardedLookup,
  type Mode,
  NAME_NOT_RESOLVED,
  type Resolve,
  targetOf,
} from "@/lib/receivers/url";
import { type Connection, keepConnection, takeConnection } from "@/lib/webhooks/connections";
import { retryAfterOf } from "@/lib/webhooks/schedule";
import type { DeliveryError } from "@/lib/webhooks/states";

/** How many bytes of an answer are read and kept. */
const KEPT_BYTES = 2048;

type Message = {
  /** Whose it is: no two accounts share a connection. */
  accountId: string;
  url: string;
  mode: Mode;
  headers: Record<string, string>;
  body: string;
  /** The limit of the whole attempt: name, connection, request and answer. */
  timeoutMs: number;
  /** Ends the attempt early. */
  stop?: AbortSignal | undefined;
  /** The time of the attempt, by the clock that plans the next one. */
  at: Date;
  /** Secrets that the kept answer must not show, in case the receiver sends them back. */
  hide?: readonly string[];
};

/** The result of one attempt. `error` is null exactly when the answer was 2xx. */
export type Outcome = {
  status: number | null;
  body: string | null;
  error: DeliveryError | null;
  retryAfterMs: number | null;
  durationMs: number;
};

/**
 * POSTs once. A connection is made to addresses that were resolved and checked for it, and serves later attempts of the account at
 * the same origin for some seconds. Follows no redirect, uses no proxy, reads 2 KB of the answer, and never throws: every failure is an outcome.
 */
export async function send(message: Message, resolve?: Resolve): Promise<Outcome> {
  const started = performance.now();
  const answer: Pick<Outcome, "status" | "body" | "retryAfterMs"> = { status: null, body: null, retryAfterMs: null };
  const now = () => new Date(message.at.getTime() + performance.now() - started);
  const { timeoutMs, stop } = message;
  const attempt = withinMs(timeoutMs, stop, (signal) => post(message, answer, { signal, now, resolve }));
  const error = await attempt.catch(errorOf);
  return { ...answer, error, durationMs: Math.round(performance.now() - started) };
}

type Conditions = { signal: AbortSignal; now: () => Date; resolve: Resolve | undefined };

async function post(message: Message, answer: Partial<Outcome>, conditions: Conditions): Promise<DeliveryError | null> {
  const { accountId, url, mode, timeoutMs } = message;
  const target = targetOf(url, mode);
  // undici calls no lookup for a literal address: targetOf checks those, and guardedLookup checks names.
  if (!target) return "address_not_allowed";
  const { origin } = target.url;
  const key = `${accountId} ${mode} ${origin}`;
  const connect = { lookup: guardedLookup(target.loopback, conditions.resolve), timeout: timeoutMs };
  const connection = takeConnection(key, () => new Client(origin, { connect }));
  let isWhole = false;
  try {
    isWhole = await exchange(connection, target.url, message, answer, conditions);
    return verdictOf(answer.status ?? 0);
  } catch (error) {
    if (!connection.isUsed || answer.status !== null || !isHungUp(error)) throw error;
  } finally {
    if (isWhole) keepConnection(key, connection);
    else await connection.client.destroy();
  }
  return post(message, answer, conditions);
}

/** Sends the request and reads the answer. Resolves to whether it was read to its end. */
async function exchange(
  { client }: Connection,
  { pathname, search }: URL,
  { headers, body, hide = [] }: Message,
  answer: Partial<Outcome>,
  { signal, now }: Conditions,
): Promise<boolean> {
  const response = await client.request({ method: "POST", path: pathname + search, headers, body, signal });
  answer.status = response.statusCode;
  answer.retryAfterMs = retryAfterOf([response.headers["retry-after"]].flat()[0], now());
  const { bytes, isWhole } = await firstBytes(
    response.body,
    KEPT_BYTES + Math.max(0, ...hide.map(({ length }) => length)),
  );
  answer.body = keptText(bytes, hide);
  return isWhole;
}

/** What a request meets over a kept connection that the receiver closes at that moment: nothing of it was answered. */
const isHungUp = (error: unknown) =>
  error instanceof Error && "code" in error && ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(String(error.code));

function verdictOf(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "http_error";
}

/** The beginning of the answer, and whether that is all of it; the rest is not read. */
async function firstBytes(body: Dispatcher.ResponseData["body"], count: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  let isWhole = true;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size < count) continue;
    isWhole = false;
    break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, count), isWhole };
}

/**
 * At most 2 KB of text that PostgreSQL accepts (no NUL). Replacements keep the length, so the cut stays in its place.
 */
function keptText(bytes: Buffer, hide: readonly string[]) {
  const text = bytes.toString().replaceAll("\u0000", " ");
  const shown = Buffer.from(hide.reduce((before, one) => before.replaceAll(one, "*".repeat(one.length)), text));
  // A stream decoder drops a character cut in half at the end instead of showing a replacement for it.
  return new TextDecoder().decode(shown.subarray(0, KEPT_BYTES), { stream: true });
}

const byCode: Record<string, DeliveryError> = {
  [NAME_NOT_RESOLVED]: "dns",
  [ADDRESS_NOT_ALLOWED]: "address_not_allowed",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  ETIMEDOUT: "timeout",
  ECONNREFUSED: "connection_refused",
  EPROTO: "tls",
  UND_ERR_HEADERS_OVERFLOW: "invalid_response",
};

function errorOf(error: unknown): DeliveryError {
  if (!(error instanceof Error)) return "connection_failed";
  if (error.name === "TimeoutError") return "timeout";
  if (error.name === "HTTPParserError") return "invalid_response";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const named = byCode[code];
  if (named) return named;
  if (/^ERR_(TLS|SSL)|CERT|SIGNATURE|^UNABLE_TO_/.test(code)) return "tls";
  return "connection_failed";
}
