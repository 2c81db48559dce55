import { type Answer, type AppError, type ErrorCode, renderError } from "@/lib/errors";
import { hardening } from "@/lib/http/hardening";

const HEADERS = { ...hardening, "content-type": "application/json", "cache-control": "no-store" };

/** A JSON response that no cache stores and that browsers read only as JSON. */
export const respond = ({ status, body }: Answer, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { ...HEADERS, ...headers } });

/** A JSON response of a simulated company, with its own status and body. */
export const json = (status: number, body: unknown) =>
  Response.json(body, { status, headers: { "cache-control": "no-store" } });

/** The value of `WWW-Authenticate` in a 401, where it is not Bearer. */
const schemes: Partial<Record<ErrorCode, string>> = { invalid_public_key: "X-Public-Key" };

/** The response for a failure: its documented body, the request id, and headers such as Retry-After. */
export function refuse(error: AppError, requestId: string): Response {
  const answer = renderError(error, requestId);
  const { retryAfterMs, allow, headers = {} } = error.options;
  return respond(answer, {
    "x-request-id": requestId,
    ...(retryAfterMs !== undefined && { "retry-after": String(Math.ceil(retryAfterMs / 1000)) }),
    ...(allow !== undefined && { allow }),
    ...(answer.status === 401 && { "www-authenticate": schemes[error.code] ?? "Bearer" }),
    ...headers,
  });
}
