import { type Answer, type AppError, type ErrorCode, renderError } from "@/lib/errors";
import { hardening } from "@/lib/http/hardening";

const HEADERS = { ...hardening, "content-type": "application/json", "cache-control": "no-store" };

type Headers = Record<string, string>;

type Sent = { status: number; body: string | ReadableStream | null };

/** A response that no cache stores and that browsers read only as JSON, unless `headers` name another type. */
export const respond = ({ status, body }: Sent, requestId: string, headers?: Headers) =>
  new Response(body, { status, headers: { ...HEADERS, "x-request-id": requestId, ...headers } });

/** A JSON response of a simulated company, with its own status and body. */
export const json = (status: number, body: unknown) =>
  Response.json(body, { status, headers: { "cache-control": "no-store" } });

/** The value of `WWW-Authenticate` in a 401, where it is not Bearer. */
const schemes: Partial<Record<ErrorCode, string>> = { invalid_public_key: "X-Public-Key" };

/** The answer for a failure: its documented body, and headers such as Retry-After. */
export function refusal(error: AppError, requestId: string): { answer: Answer; headers: Headers } {
  const answer = renderError(error, requestId);
  const { retryAfterMs, allow, headers: others } = error.options;
  const headers = {
    ...(retryAfterMs !== undefined && { "retry-after": String(Math.ceil(retryAfterMs / 1000)) }),
    ...(allow !== undefined && { allow }),
    ...(answer.status === 401 && { "www-authenticate": schemes[error.code] ?? "Bearer" }),
    ...others,
  };
  return { answer, headers };
}

/** The response for a failure. */
export function refuse(error: AppError, requestId: string): Response {
  const { answer, headers } = refusal(error, requestId);
  return respond(answer, requestId, headers);
}
