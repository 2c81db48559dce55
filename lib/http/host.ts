import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { gzipSync } from "node:zlib";
import { getRequestListener } from "@hono/node-server";
import findMyWay from "find-my-way";
import { AppError } from "@/lib/errors";
import { refuse } from "@/lib/http/answer";
import { isConfidential, rememberPeer } from "@/lib/http/client-address";
import { hardening } from "@/lib/http/hardening";
import { type Handler, METHODS, type Method } from "@/lib/http/methods";
import { signInRoutes } from "@/lib/http/pages";
import { logAnonymous } from "@/lib/http/request-log";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";

export type Route = { path: string; module: Partial<Record<string, unknown>> };
type Pages = (request: IncomingMessage, response: ServerResponse) => void;

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
 * request.
 */
export function createHost(routes: readonly Route[], pages: Pages): Server {
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 200 });
  for (const { path, module } of routes) {
    const pattern = path.replaceAll(/\[(\w+)\]/g, ":$1");
    for (const method of METHODS) {
      const handler = module[method] as Handler | undefined;
      if (!handler) continue;
      const isGuarded = CARDS.test(path) && method !== "OPTIONS";
      router.on(method, pattern, () => {}, isGuarded ? confidential(handler) : handler);
    }
  }

  /** A fixed path wins over one with a parameter, also when it refuses the method. */
  const find = (method: string, pathname: string) => {
    const found = router.find(method as "GET", pathname);
    return found && !(found.store as Handler).refuses ? found : null;
  };

  const api = getRequestListener(
    async (request, env) => {
      rememberPeer(request, (env as { incoming: IncomingMessage }).incoming.socket.remoteAddress);
      const { pathname } = new URL(request.url);
      const method = request.method === "HEAD" ? "GET" : request.method;
      const found = find(method, pathname);
      if (found) {
        const params = Promise.resolve(found.params as Record<string, string>);
        return packed(request, await (found.store as Handler)(request, { params }));
      }
      const isKnown = (other: Method) => find(other, pathname) !== null;
      return refuseUnrouted(request, missing(pathname, isKnown));
    },
    { errorHandler: failed },
  );

  const limits = { maxHeaderSize: 16_384, headersTimeout: 10_000, requestTimeout: 30_000, requireHostHeader: false };
  const server = createServer(limits, (req, res) => {
    for (const [name, value] of Object.entries(hardening)) res.setHeader(name, value);
    if (req.httpVersion === "1.0") req.headers.host ??= "localhost"; // HTTP/1.0 need not name a host
    const target = originForm(req.url ?? "");
    const host = req.headers.host ?? "";
    if (!target || hostsOf(req) > 1 || !HOST.test(host) || !URL.canParse(`http://${host}${target}`))
      return answerUnreadable(res);
    req.url = target;
    const isSignIn = signInRoutes[target.split("?", 1)[0] ?? ""] !== undefined; // only in exactly this spelling
    if (API.test(plainPath(target)) && !isSignIn) return api(req, res);
    return pages(req, res);
  });
  server.keepAliveTimeout = 65_000;
  server.on("clientError", unreadable);
  server.on("checkExpectation", (_, res) => answerUnreadable(res, 417));
  return server;
}

/** How many Host headers there are. Node reads the first, but a proxy may have read another (RFC 9112 section 3.2). */
const hostsOf = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;

/** Compresses an answer that says that it may be, for a client that takes it so. Next does this for its own pages. */
async function packed(request: Request, response: Response): Promise<Response> {
  const { headers, status } = response;
  const isWanted = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
  if (!isWanted || !/\baccept-encoding\b/i.test(headers.get("vary") ?? "")) return response;
  const bytes = gzipSync(Buffer.from(await response.arrayBuffer()));
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

/** Refuses new connections, lets running requests end for at most `withinMs`, then cuts the rest. */
export async function drain(server: Server, withinMs = 10_000): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that answers its last request becomes idle only then, and would be kept alive.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const timer = setTimeout(() => server.closeAllConnections(), withinMs);
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
