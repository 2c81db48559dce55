import type { ApiPath } from "@/components/paths";

/** What our API says when it refuses. Thrown by every call; `status` 0 means that no answer came. */
export type ApiError = Error & {
  status: number;
  /** The stable code of a business rule, if the answer had one. */
  code?: string | undefined;
  /** Faults by field path, of a 422. */
  errors?: Record<string, string[]> | undefined;
  requestId?: string | undefined;
};

type Query = Record<string, string | number | undefined>;
type Options = { idempotencyKey?: string | undefined };

/**
 * The typed client of our own API. Same origin, the session's cookie; the answer's shape is the contract's to keep.
 * Each call names the account that the page shows, and is refused if it is not the visitor's; null is for routes that
 * know no caller.
 */
export function apiOf<A extends string | null>(account: A) {
  const of: Record<string, string> = account === null ? {} : { "x-account": account };
  return {
    account,
    get: <T>(path: ApiPath, query: Query = {}, signal?: AbortSignal) =>
      call<T>("GET", path + search(query), undefined, { signal: signal ?? null, headers: of }),
    post: <T>(path: ApiPath, body: unknown = {}, { idempotencyKey }: Options = {}) =>
      call<T>("POST", path, body, { headers: { ...of, ...(idempotencyKey && { "idempotency-key": idempotencyKey }) } }),
    patch: <T>(path: ApiPath, body: unknown) => call<T>("PATCH", path, body, { headers: of }),
    put: <T>(path: ApiPath, body: unknown) => call<T>("PUT", path, body, { headers: of }),
    delete: <T>(path: ApiPath) => call<T>("DELETE", path, undefined, { headers: of }),
  };
}

export const isApiError = (error: unknown): error is ApiError => error instanceof Error && "status" in error;

async function call<T>(method: string, path: string, body: unknown, init: RequestInit): Promise<T> {
  const headers = { accept: "application/json", ...(body !== undefined && { "content-type": "application/json" }) };
  const response = await fetch(path, {
    ...init,
    method,
    headers: { ...headers, ...(init.headers as Record<string, string>) },
    body: body === undefined ? null : JSON.stringify(body),
  }).catch((cause: Error) => {
    if (cause.name === "AbortError") throw cause;
    throw failure("", { status: 0 });
  });
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.ok) return answer as T;
  const { message = "", error, errors } = answer as { message?: string; error?: string; errors?: ApiError["errors"] };
  const requestId = response.headers.get("x-request-id") ?? undefined;
  throw failure(message, { status: response.status, code: error, errors, requestId });
}

const failure = (message: string, facts: Omit<ApiError, keyof Error>): ApiError =>
  Object.assign(new Error(message), facts);

function search(query: Query): string {
  const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  return present.length ? `?${new URLSearchParams(present.map(([key, value]) => [key, String(value)]))}` : "";
}
