import type { IncomingMessage, ServerResponse } from "node:http";
import { hardening } from "@/lib/http/hardening";
import type { Readiness } from "@/lib/monitoring/readiness";

/** What answers for a server's health: whether it can serve, and whether it is about to stop. */
export type Health = { readiness(): Promise<Readiness>; isDraining(): boolean };

export const HEALTH_PATHS = ["/healthz", "/readyz"] as const;

/**
 * Answers `/healthz`, which says that the process lives and asks nobody, and `/readyz`, which says whether it should be
 * sent requests, with each check by name. Anybody may ask, so they name nothing that is not the same for all. Returns
 * false for any other path.
 */
export function answerHealth(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  { readiness, isDraining }: Health,
): boolean {
  if (!HEALTH_PATHS.some((known) => known === path)) return false;
  const send = (status: number, body: object, headers = {}) =>
    void response
      .writeHead(status, { ...hardening, "content-type": "application/json", "cache-control": "no-store", ...headers })
      .end(request.method === "HEAD" ? undefined : JSON.stringify(body));

  if (!["GET", "HEAD"].includes(request.method ?? "")) send(405, { status: "failed" }, { allow: "GET, HEAD" });
  else if (path === "/healthz") send(200, { status: "ok" });
  else if (isDraining()) send(503, { status: "draining", checks: { draining: { status: "failed" } } });
  else {
    readiness().then(({ isReady, checks }) =>
      send(isReady ? 200 : 503, {
        status: isReady ? "ready" : "unready",
        checks: { draining: { status: "ok" }, ...checks },
      }),
    );
  }
  return true;
}
