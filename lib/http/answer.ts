import { type Answer, type AppError, type ErrorCode, renderError } from "@/lib/errors";

/** What every answer says to a browser: use TLS alone, and believe the content type. */
export const hardening = {
  "strict-transport-security": "max-age=63072000; includeSubDomains",
  "x-content-type-options": "nosniff",
};

const HEADERS = { ...hardening, "content-type": "application/json", "cache-control": "no-store" };

/** JSON that no cache keeps and that no browser reads as anything else. */
export const respond = ({ status, body }: Answer, headers: Record<string, string> = {}) =>
  new Response(body, { status, headers: { ...HEADERS, ...headers } });

/** The same of a simulated company, with its own status and body. */
export const json = (status: number, body: unknown) =>
  Response.json(body, { status, headers: { "cache-control": "no-store" } });

/** How to come back after a 401, where it is not with a token. */
const schemes: Partial<Record<ErrorCode, string>> = { invalid_public_key: "X-Public-Key" };

/** A failure as a response: documented body, request id, and the headers that say what the caller can do. */
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
