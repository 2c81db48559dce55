import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import findMyWay from "find-my-way";
import { AppError } from "@/lib/errors";
import { refuse } from "@/lib/http/answer";
import { isConfidential, rememberPeer } from "@/lib/http/client-address";
import { takesGzip, zip } from "@/lib/http/document";
import { hardening } from "@/lib/http/hardening";
import { answerHealth } from "@/lib/http/health";
import { BOUNDS, boundInFlight } from "@/lib/http/in-flight";
import { measure, nameRoute } from "@/lib/http/measure";
import { type Handler, METHODS, type Method } from "@/lib/http/methods";
import { signInRoutes } from "@/lib/http/pages";
import { logAnonymous } from "@/lib/http/request-log";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import type { Readiness } from "@/lib/monitoring/readiness";

export type Route = { path: string; module: Partial<Record<string, unknown>> };
type Pages = (request: IncomingMessage, response: ServerResponse) => void;
/** What the router finds: a route's pattern and its handler. */
type Found = { path: string; serve: Handler };

/** The paths of the API, the card fields, the checkout, products' images and browsers' reports. Next gets all others, and sign-in's own routes. */
const API = /^\/(api|v1|v2|s1|callbacks|simulator|fields|fields\.js|checkout|images|csp-reports)(\/|$)/;

/** The routes that get card numbers, and the page with the card fields. They need TLS (PCI DSS 4.2.1). */
const CARDS = /^\/(api\/(public|partner)\/v1\/(card-tokens|credit-card)|fields)$/;

const UNREADABLE = "A requisição não pôde ser lida.";

/** A host: a name or an address, and optionally a port. */
const HOST = /^([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?$/;

/**
 * The lean host: it finds the route of an API path and calls the same `Request → Response` function that Next would,
 * without Next's pipeline; pages go to Next. It cuts off slow and oversized clients: 10 s for headers, 30 s for a
 * request. What waits for slow readers is bounded.
 */
export function createHost(
  routes: readonly Route[],
  pages: Pages,
  { readiness = ready, bounds = BOUNDS }: { readiness?: () => Promise<Readiness>; bounds?: typeof BOUNDS } = {},
): Server {
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 200 });
  for (const { path, module } of routes) {
    const pattern = path.replaceAll(/\[(\w+)\]/g, ":$1");
    for (const method of METHODS) {
      const handler = module[method] as Handler | undefined;
      if (!handler) continue;
      const isGuarded = CARDS.test(path) && method !== "OPTIONS";
      const store: Found = { path, serve: isGuarded ? confidential(handler) : handler };
      router.on(method, pattern, () => {}, store);
    }
  }

  /** A fixed path wins over one with a parameter, also when it refuses the method. */
  const find = (method: string, pathname: string) => {
    const found = router.find(method as "GET", pathname);
    return found && !(found.store as Found).serve.refuses ? found : null;
  };

  const api = getRequestListener(
    async (request, env) => {
      const { incoming } = env as { incoming: IncomingMessage };
      rememberPeer(request, incoming.socket.remoteAddress);
      const { pathname } = new URL(request.url);
      const method = request.method === "HEAD" ? "GET" : request.method;
      const found = find(method, pathname);
      if (found) {
        const { path, serve } = found.store as Found;
        nameRoute(incoming, path);
        const params = Promise.resolve(found.params as Record<string, string>);
        return packed(request, await serve(request, { params }));
      }
      const isKnown = (other: Method) => find(other, pathname) !== null;
      return refuseUnrouted(request, missing(pathname, isKnown));
    },
    { errorHandler: failed },
  );

  const limits = { maxHeaderSize: 16_384, headersTimeout: 10_000, requestTimeout: 30_000, requireHostHeader: false };
  const oneAtATime = boundInFlight(bounds);
  const health = { readiness, isDraining: () => isDraining(server) };
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    follow(server, res);
    measure(req, res);
    for (const [name, value] of Object.entries(hardening)) res.setHeader(name, value);
    if (req.httpVersion === "1.0") req.headers.host ??= "localhost"; // HTTP/1.0 need not name a host
    const target = originForm(req.url ?? "");
    const host = req.headers.host ?? "";
    if (!target || hostsOf(req) > 1 || !HOST.test(host) || !URL.canParse(`http://${host}${target}`))
      return answerUnreadable(res);
    req.url = target;
    const [path = "/"] = target.split("?", 1);
    if (answerHealth(path, req, res, health)) return nameRoute(req, path);
    const isSignIn = signInRoutes[path] !== undefined; // only in exactly this spelling
    if (API.test(plainPath(target)) && !isSignIn) return api(req, res);
    return pages(req, res);
  };
  const server: Server = createServer(limits, oneAtATime(serve));
  server.keepAliveTimeout = 65_000;
  server.on("clientError", unreadable);
  server.on(
    "checkExpectation",
    oneAtATime((_, res) => answerUnreadable(res, 417)),
  );
  return server;
}

const ready = async (): Promise<Readiness> => ({ isReady: true, checks: {} });

/** How many Host headers there are. Node reads the first, but a proxy may have read another (RFC 9112 section 3.2). */
const hostsOf = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;

/** Compresses an answer that says that it may be, for a client that takes it so. Next does this for its own pages. */
async function packed(request: Request, response: Response): Promise<Response> {
  const { headers, status } = response;
  const isOffered = /\baccept-encoding\b/i.test(headers.get("vary") ?? "") && !headers.has("content-encoding");
  if (!isOffered || status === 304 || !takesGzip(request)) return response;
  const bytes = await zip(await response.arrayBuffer());
  headers.set("content-encoding", "gzip");
  return new Response(bytes, { status, headers });
}

/** Refuses a request that others could have read. A redirect would let the client go on in plain text (ASVS 4.1.2). */
function confidential(serve: Handler): Handler {
  const guarded: Handler = async (request, context) =>
    isConfidential(request) ? serve(request, context) : refuseUnrouted(request, new AppError("https_required"));
  return Object.assign(guarded, { refuses: serve.refuses });
}

/** Refuses a request before any handler gets it. */
function refuseUnrouted(request: Request, error: AppError): Response {
  const requestId = newId();
  const response = refuse(error, requestId);
  logAnonymous(request, requestId, response.status, error.code);
  return response;
}

/** Path and query; a client may also send a whole address (RFC 9112 section 3.2.2). Undefined for anything else. */
function originForm(target: string): string | undefined {
  if (target.includes("\\")) return undefined; // some parsers read it as a slash
  if (target.startsWith("/")) return target;
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  const { pathname, search } = new URL(target);
  return pathname + search;
}

/** The path as a router behind us could read it: without dots, doubled slashes or encoding. */
function plainPath(target: string): string {
  try {
    return decodeURIComponent(new URL(`http://localhost${target}`).pathname).replaceAll(/\/{2,}/g, "/");
  } catch {
    return target.split("?", 1)[0] ?? "/";
  }
}

/** The answers under way of each server, and the servers that are about to stop. */
const underWay = new WeakMap<Server, Set<ServerResponse>>();
const draining = new WeakSet<Server>();
export const isDraining = (server: Server) => draining.has(server);

/** Notes an answer until it ended. One of a server that is about to stop is the last of its connection. */
function follow(server: Server, response: ServerResponse) {
  const answers = underWay.get(server) ?? new Set();
  underWay.set(server, answers.add(response));
  response.once("close", () => answers.delete(response));
  if (isDraining(server)) response.setHeader("connection", "close");
}

/**
 * Stops a server, within `withinMs` in all. For `pauseMs` it goes on serving, is not ready any more, and closes each
 * connection with its next answer, so that a load balancer sends elsewhere before anything is refused. Then it refuses
 * new connections, lets running requests end, and cuts at last what is left.
 */
export async function drain(server: Server, withinMs = 10_000, pauseMs = 0): Promise<void> {
  draining.add(server);
  for (const answer of underWay.get(server) ?? []) if (!answer.headersSent) answer.setHeader("connection", "close");
  const timer = setTimeout(() => server.closeAllConnections(), withinMs);
  if (pauseMs > 0) await sleep(pauseMs);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that answers its last request becomes idle only then, and would be kept alive.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}

/** The error for a request without a handler: malformed percent-encoding, a wrong method, or an unknown path. */
function missing(pathname: string, isKnown: (method: Method) => boolean): AppError {
  try {
    decodeURIComponent(pathname);
  } catch {
    return new AppError("invalid_path");
  }
  const allowed = METHODS.filter(isKnown);
  return allowed.length > 0
    ? new AppError("method_not_allowed", { allow: allowed.join(", ") })
    : new AppError("not_found");
}

function failed(error: unknown): Response {
  const requestId = newId();
  log.error({ requestId, error }, "the host failed");
  return refuse(new AppError("internal"), requestId);
}

function answerUnreadable(response: ServerResponse, status = 400) {
  const headers = { ...hardening, "content-type": "application/json", "x-request-id": newId(), connection: "close" };
  response.writeHead(status, headers).end(JSON.stringify({ message: UNREADABLE }));
}

const HARDENING = Object.entries(hardening)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join("");

/** Answers JSON to a request that is not HTTP or has headers over 16 KB, then closes the socket. */
function unreadable(error: NodeJS.ErrnoException, socket: Duplex) {
  if (!socket.writable || error.code === "ECONNRESET") return socket.destroy();
  const [status, message] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "O endereço ou os cabeçalhos são longos demais."]
      : ["400 Bad Request", UNREADABLE];
  const body = JSON.stringify({ message });
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\nx-request-id: ${newId()}\r\n${HARDENING}` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
