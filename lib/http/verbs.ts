import { AppError } from "@/lib/errors";
import { type Handler, refuse } from "@/lib/http/endpoint";
import { logStranger } from "@/lib/http/request-log";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

type Serve = (...given: [...Parameters<Handler>, requestId: string]) => Promise<Response>;

/**
 * Every method of a route file without a contract, as a rail's or a browser's: those given, and a 405 that names them
 * for the others. What a handler throws becomes a JSON answer.
 */
export function verbs(given: Partial<Record<Method, Serve>>): Record<Method, Handler> {
  const allow = METHODS.filter((method) => given[method]).join(", ");
  const refuseMethod = Object.assign(async () => refuse(new AppError("method_not_allowed", { allow }), newId()), {
    refuses: true,
  });
  const entries = METHODS.map((method) => [method, given[method] ? safe(given[method]) : refuseMethod]);
  return Object.fromEntries(entries);
}

export const json = (status: number, body: unknown) =>
  Response.json(body, { status, headers: { "cache-control": "no-store" } });

function safe(handler: Serve): Handler {
  return async (request, context) => {
    const requestId = newId();
    const response = await handler(request, context, requestId).catch((error) => failure(error, requestId));
    response.headers.set("x-request-id", requestId);
    if (response.status >= 400) logStranger(request, requestId, response.status, undefined);
    return response;
  };
}

/** A bug or a lost database is 503, not 500: the caller is a machine that must come again. */
function failure(error: unknown, requestId: string): Response {
  if (error instanceof AppError) return refuse(error, requestId);
  log.error({ requestId, error }, "a door failed");
  return refuse(new AppError("unavailable", { cause: error }), requestId);
}
