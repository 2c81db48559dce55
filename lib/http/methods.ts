import { actAs } from "@/lib/actor";
import { AppError } from "@/lib/errors";
import { refuse } from "@/lib/http/answer";
import { clientAddress } from "@/lib/http/client-address";
import { logAnonymous } from "@/lib/http/request-log";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type Method = (typeof METHODS)[number];

/** Next gives no parameters to a route whose path has none. */
type Context = { params: Promise<Record<string, string>> | undefined };
/** What the host and Next call. `refuses`: it only answers that the path has no such method. */
export type Handler = ((request: Request, context: Context) => Promise<Response>) & { refuses?: boolean };

/** A handler of `endpoint()`, or one without a contract: a rail's callback, a browser's report, a file. */
type Given = ((request: Request, context: Context, requestId: string) => Promise<Response>) & { contract?: object };

/**
 * A path's handlers by method. Every method without one answers 405 with `Allow`, in JSON, also where Next calls it. An
 * error that a plain handler throws becomes a JSON answer.
 */
export function methods(handlers: Partial<Record<Method, Given>>): Record<Method, Handler> {
  const allow = METHODS.filter((method) => handlers[method]).join(", ");
  const refuseMethod = async () => refuse(new AppError("method_not_allowed", { allow }), newId());
  const handlerOf = (method: Method): Handler => {
    const handler = handlers[method];
    if (!handler) return Object.assign(refuseMethod, { refuses: true });
    return handler.contract ? (handler as Handler) : safe(handler);
  };
  return Object.fromEntries(METHODS.map((method) => [method, handlerOf(method)])) as Record<Method, Handler>;
}

const safe =
  (handler: Given): Handler =>
  async (request, context) => {
    const requestId = newId();
    const act = () => handler(request, context, requestId).catch((error) => failure(error, requestId));
    const response = await actAs({ kind: "visitor", ip: clientAddress(request) }, act);
    response.headers.set("x-request-id", requestId);
    if (response.status >= 400) logAnonymous(request, requestId, response.status, undefined);
    return response;
  };

/** A bug or a lost database is answered with 503, not 500, because the caller is a machine that must try again. */
function failure(error: unknown, requestId: string): Response {
  if (error instanceof AppError) return refuse(error, requestId);
  log.error({ requestId, error }, "a route without a contract failed");
  return refuse(new AppError("unavailable", { cause: error }), requestId);
}
