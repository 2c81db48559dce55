import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { errors } from "@/lib/errors";
import { addressOf } from "@/lib/http/client-address";
import { policyHeaders } from "@/lib/http/csp-reports";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";

/** What a form of a page may weigh. */
const MAX_BYTES = 100_000;

/** What a proxy says of the request it got. Next would believe it of anybody; our address is APP_URL. */
const FORWARDED = ["x-forwarded-host", "x-forwarded-proto", "x-forwarded-port"];

/** The card fields have a policy of their own (app/fields): in development they come through here too. */
const HAS_ITS_OWN = /^\/fields(\?|$)/;

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * What stands before Next: a fresh nonce and the content security policy that names it (Next reads it from the
 * request and puts it on its scripts), and the path for links back after sign-in.
 */
export function pages(handle: Handle, { dev }: { dev: boolean }) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const nonce = randomBytes(16).toString("base64");
    const policy = policyHeaders(policyOf(nonce, dev));
    request.headers["content-security-policy"] = policy["content-security-policy"];
    request.headers["x-nonce"] = nonce;
    request.headers["x-path"] = request.url ?? "/";
    delete request.headers["x-middleware-subrequest"];
    for (const name of FORWARDED) delete request.headers[name];
    // Next would believe what the client wrote here.
    const forwarded = request.headers["x-forwarded-for"];
    const peer = request.socket.remoteAddress ?? "0.0.0.0";
    request.headers["x-forwarded-for"] = addressOf(peer, forwarded === undefined ? null : String(forwarded));
    response.setHeader("x-request-id", newId());
    if (isTooLarge(request)) {
      response.writeHead(413, { "content-type": "application/json", connection: "close" });
      response.end(JSON.stringify({ message: errors.payload_too_large[1] }));
      return;
    }
    if (!HAS_ITS_OWN.test(request.url ?? "")) {
      for (const [name, value] of Object.entries(policy)) response.setHeader(name, value);
    }
    handle(request, response).catch((error) => {
      log.error({ error }, "a page failed");
      response.destroy();
    });
  };
}

/** A page takes a small form at most, and says how large it is. */
function isTooLarge({ method, headers }: IncomingMessage): boolean {
  if (method === "GET" || method === "HEAD") return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > MAX_BYTES;
}

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
