import type { ApiPath } from "@/components/paths";
import { isConsole } from "@/components/realm";
import { proveAgain } from "@/components/step-up";
import type { ErrorCode } from "@/lib/errors";

/**
 * The error that every call throws when our API refuses. Where no answer came, `status` is 0 or that of a proxy before
 * our API, and `code` is an `Unanswered`.
 */
export type ApiError = Error & {
  status: number;
  /** The stable code of a business rule, if the answer had one. */
  code?: string | undefined;
  /** Faults by field path, of a 422. */
  errors?: Record<string, string[]> | undefined;
  requestId?: string | undefined;
  /** How long a 429 asks to wait. */
  retryAfterMs?: number | undefined;
};

/**
 * How a call ended without an answer. A write that was made offline did nothing; the outcome of any other is unknown.
 */
type Unanswered = "no_answer" | "not_sent" | "outcome_unknown";

/** How long an answer or a piece of a page may take. */
export const TIME_LIMIT_MS = 30_000;

type Query = Record<string, string | number | undefined>;

/**
 * The typed client of our own API. Same origin, the session's cookie; the route's contract keeps the answer's shape.
 * Each call names the account that the page shows, and is refused if it is not the visitor's; null is for routes that
 * know no caller. What it makes also keeps the Idempotency-Keys, so a component makes one and goes on with it.
 */
export function apiOf<A extends string | null>(account: A) {
  const of: Record<string, string> = account === null ? {} : { "x-account": account };
  const keys = new Map<string, string>();
  /**
   * The same content that is sent again after a lost answer has the same Idempotency-Key, so that nothing is done twice.
   * Content that was answered with success, or finally with a refusal, is a new intent when it is sent again.
   */
  async function keyed<T>(content: string, send: (key: string) => Promise<T>): Promise<T> {
    const key = keys.get(content) ?? crypto.randomUUID();
    keys.set(content, key);
    try {
      const answer = await send(key);
      keys.delete(content);
      return answer;
    } catch (error) {
      if (isApiError(error) && FINAL.has(error.code ?? "")) keys.delete(content);
      throw error;
    }
  }
  return {
    account,
    get: <T>(path: ApiPath, query: Query = {}, signal?: AbortSignal) =>
      call<T>("GET", path + search(query), undefined, { signal: signal ?? null, headers: of }),
    post: <T>(path: ApiPath, body: unknown = {}) =>
      keyed(`${path} ${JSON.stringify(body)}`, (key) =>
        call<T>("POST", path, body, { headers: { ...of, "idempotency-key": key } }),
      ),
    upload: <T>(path: ApiPath, file: Blob, query: Query = {}) =>
      call<T>("POST", path + search(query), file, { headers: of }),
    patch: <T>(path: ApiPath, body: unknown) => call<T>("PATCH", path, body, { headers: of }),
    put: <T>(path: ApiPath, body: unknown) => call<T>("PUT", path, body, { headers: of }),
    /** Saves an answer that is a file under this name. It may take as long as it takes. */
    download: (path: ApiPath, query: Query, name: string) => save(path + search(query), of, name),
    delete: <T>(path: ApiPath, query: Query = {}) =>
      call<T>("DELETE", path + search(query), undefined, { headers: of }),
  };
}

/** What a page can be refused with after which a repeat under the same key could have no other answer. */
const FINAL: ReadonlySet<string> = new Set<ErrorCode>(["deposit_not_made", "idempotency_key_reused"]);

export const isApiError = (error: unknown): error is ApiError => error instanceof Error && "status" in error;

async function call<T>(method: string, path: string, body: unknown, init: RequestInit): Promise<T> {
  const isFile = body instanceof Blob; // its content type is its own
  const isJson = body !== undefined && !isFile;
  const headers = {
    accept: "application/json",
    ...(isJson && { "content-type": "application/json" }),
    ...(isConsole() && { "x-realm": "staff" }),
  };
  // A read is repeated once by itself, so each of its two attempts gets half of the time.
  const limit = AbortSignal.timeout(method === "GET" ? TIME_LIMIT_MS / 2 : TIME_LIMIT_MS);
  const lost: Unanswered = method === "GET" ? "no_answer" : navigator.onLine ? "outcome_unknown" : "not_sent";
  const noAnswer = (cause: Error) => {
    if (init.signal?.aborted) throw cause; // the page itself cancelled the call
    throw failure("", { status: 0, code: lost });
  };
  const response = await fetch(path, {
    ...init,
    method,
    signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit,
    headers: { ...headers, ...(init.headers as Record<string, string>) },
    body: isFile ? body : isJson ? JSON.stringify(body) : null,
  }).catch(noAnswer);
  const text = await response.text().catch(noAnswer);
  const answer = parsed(text);
  if (response.ok) return answer as T;
  const refusal = refusalOf(response, answer, lost);
  if (refusal.code === STEP_UP && (await proveAgain())) return call<T>(method, path, body, init);
  throw refusal;
}

/** What was refused so did nothing, and is sent again as it was once the person has proved who they are. */
const STEP_UP: ErrorCode = "step_up_required";

function refusalOf({ status, headers }: Response, answer: unknown, lost: Unanswered): ApiError {
  const { message = "", error, errors } = answer as Pick<ApiError, "errors"> & { message?: string; error?: string };
  const requestId = headers.get("x-request-id") ?? undefined;
  const retryAfterMs = status === 429 ? Number(headers.get("retry-after") ?? 0) * 1_000 : undefined;
  const code = error ?? (GATEWAY.has(status) ? lost : undefined);
  return failure(message, { status, code, errors, requestId, retryAfterMs });
}

/** A link could not name the account, so the file is fetched first. */
async function save(path: string, headers: Record<string, string>, name: string): Promise<void> {
  const response = await fetch(path, { headers }).catch(() => {
    throw failure("", { status: 0, code: "no_answer" });
  });
  if (!response.ok) throw refusalOf(response, parsed(await response.text()), "no_answer");
  saveFile(await response.blob(), name);
}

/** Has the browser save a file under this name. */
export function saveFile(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  URL.revokeObjectURL(href);
}

/** A proxy before our API answers these when it has no answer from our API. */
const GATEWAY = new Set([502, 503, 504]);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const failure = (message: string, facts: Omit<ApiError, keyof Error>): ApiError =>
  Object.assign(new Error(message), facts);

function search(query: Query): string {
  const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  return present.length ? `?${new URLSearchParams(present.map(([key, value]) => [key, String(value)]))}` : "";
}
