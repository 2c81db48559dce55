import type { IncomingMessage, ServerResponse } from "node:http";
import { METHODS } from "@/lib/http/methods";
import { countAnswer, isCounting } from "@/lib/monitoring/metrics";

const KNOWN: ReadonlySet<string> = new Set([...METHODS, "HEAD"]);
/** What no route was found for. */
const UNKNOWN = "unknown";

const routes = new WeakMap<IncomingMessage, string>();

/** Notes which route a request was for: its pattern, as `/api/partner/v1/transaction/[identifier]`. */
export const nameRoute = (request: IncomingMessage, route: string) => void routes.set(request, route);

/** Counts the answer of a request once it was sent, or once the client went away. */
export function measure(request: IncomingMessage, response: ServerResponse): void {
  if (!isCounting()) return;
  const startedAt = performance.now();
  const method = KNOWN.has(request.method ?? "") ? (request.method ?? "") : "other"; // pages may change it
  response.once("close", () => {
    const status = response.writableFinished ? String(response.statusCode) : "aborted";
    countAnswer({ method, route: routes.get(request) ?? UNKNOWN, status }, performance.now() - startedAt);
  });
}
