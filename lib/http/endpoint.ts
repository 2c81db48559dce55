import type { z } from "zod";
import type { AccountContext } from "@/lib/accounts/context";
import { countStored, RECORD_BYTES } from "@/lib/accounts/storage";
import type { Scope } from "@/lib/auth/scopes";
import { isUnavailable } from "@/lib/db";
import { type Answer, AppError, type ErrorCode, renderError } from "@/lib/errors";
import { respond } from "@/lib/http/answer";
import { type Authentication, authenticate, type Caller, type Extra } from "@/lib/http/authenticate";
import { parseJson, readText } from "@/lib/http/body";
import { check } from "@/lib/http/check";
import { clientAddress } from "@/lib/http/client-address";
import { readIdem } from "@/lib/http/idempotency-key";
import { type Entry, openPublicDoor } from "@/lib/http/public-door";
import { logRequest, logStranger } from "@/lib/http/request-log";
import { authenticateStaff, type Staff } from "@/lib/http/staff";
import { findReplay, type Idem, replayOf } from "@/lib/idempotency";
import { isId, newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { limitKey } from "@/lib/net/address";
import { assertNoCardData } from "@/lib/pan/detect";
import { type limits, takeSlot } from "@/lib/rate-limit";
import type { Feature } from "@/prisma/client/enums";

/** What an endpoint promises. The same object validates requests, shapes answers and becomes OpenAPI. */
export type Contract = {
  summary: string;
  tag: string;
  /**
   * `account` (default): bearer or session; `legacy`: bearer or Basic; `public_key`: a page that its owner has listed;
   * `staff`: a session of the operator's staff; `none`: whoever calls.
   */
  auth?: Authentication | "public_key" | "staff" | "none";
  /** Without authentication: the limit of which the caller's address takes a place, before the body is read. */
  limit?: keyof typeof limits;
  /** How large a body may be; 1 MB where nothing is said, far less where anybody may call. */
  maxBytes?: number;
  /** All that the caller must have. */
  scopes?: readonly Scope[];
  feature?: Feature;
  /** What the look-up of the caller brings along, so that the route needs no round trip of its own. */
  brings?: Extra;
  /** A live account is answered as if the path did not exist. */
  sandboxOnly?: boolean;
  /** Path parameters that are record ids: one that is no UUID names nothing, which is this error. */
  ids?: Record<string, ErrorCode>;
  /** Whether an Idempotency-Key means anything: not where a repeat may make another, and no answer may be kept. */
  takesKey?: boolean;
  /** Whether the answer shows a secret, which a repeat under its key shows only to the caller that got it first. */
  showsSecret?: boolean;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Whether a body may hold a card's number and CVV. Everywhere else they are `card_data_not_accepted`. */
  takesCards?: boolean;
  /** Whether a write is done for an account that has stored all that it may: it serves money that is there, or keeps little. */
  evenIfFull?: boolean;
  status?: 200 | 201 | 202;
  response: z.ZodType;
  errors?: readonly ErrorCode[];
};

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

export type Input<C extends Contract> = {
  account: C["auth"] extends "none" | "staff" ? undefined : AccountContext;
  staff: C["auth"] extends "staff" ? Staff : undefined;
  caller: C["auth"] extends "none" | "staff"
    ? undefined
    : C["brings"] extends Extra
      ? Caller & Brought<C["brings"]>
      : Caller;
  params: Record<string, string>;
  query: Parsed<C["query"]>;
  body: Parsed<C["body"]>;
  idem: Idem | undefined;
  requestId: string;
  ip: string;
  userAgent: string;
};

type Brought<E extends Extra> = Required<Pick<Caller, E>>;

type Context = { params: Promise<Record<string, string>> };
export type Handler = (request: Request, context: Context) => Promise<Response>;
export type Endpoint = Handler & { contract: Contract };

/** The only way in: authenticate, limit, parse, run once per Idempotency-Key, shape the answer, name the failure. */
export function endpoint<const C extends Contract>(
  contract: C,
  handle: (input: Input<C>) => Promise<z.input<C["response"]>>,
): Endpoint {
  const render = (result: unknown) => ({
    status: contract.status ?? 200,
    body: JSON.stringify(contract.response.parse(result)),
  });

  const { auth = "account", takesKey = true, showsSecret, limit } = contract as Contract;

  async function serve(request: Request, context: Context): Promise<Response> {
    const started = performance.now();
    const requestId = newId();
    const ip = clientAddress(request);
    let caller: Caller | undefined;
    let staff: Staff | undefined;
    let response: Response;
    let code: string | undefined;
    let idem: Idem | undefined;
    let entry: Entry | undefined;
    try {
      if (auth === "public_key") {
        entry = await openPublicDoor(request, ip);
        if (entry.refusal) throw entry.refusal;
        caller = entry.caller;
      } else if (auth === "staff") {
        staff = await authenticateStaff(request);
      } else if (auth !== "none") {
        caller = await authenticate(request, auth, contract.brings);
        assertMay(caller, contract);
      } else if (limit) {
        await takeSlot(limit, limitKey(ip));
      }
      const params = checkedParams(await context.params, contract);
      const { query, body, text } = await parse(request, contract);
      idem = takesKey && caller ? readIdem(request, { caller, text, render, showsSecret }) : undefined;
      const input = {
        account: caller?.account,
        staff,
        caller,
        params,
        query,
        body,
        idem,
        requestId,
        ip,
        userAgent: request.headers.get("user-agent")?.slice(0, 500) ?? "",
      } as Input<C>;
      if (caller) assertRoom(request, caller, contract);
      const answer = await handle(input).then(render, (error) => keptRefusal(error, requestId));
      if (caller && isWrite(request)) {
        const answerBytes = idem ? Buffer.byteLength(answer.body) : 0; // the answer is kept under its key
        countStored(caller.account.id, RECORD_BYTES + Buffer.byteLength(text) + answerBytes);
      }
      [response, code] = [respond(answer), codeOf(answer)];
    } catch (error) {
      [response, code] = await failed(error, idem, requestId);
    }
    response.headers.set("x-request-id", requestId);
    for (const [name, value] of Object.entries(entry?.corsOf(response.status) ?? {})) response.headers.set(name, value);
    if (caller) logRequest({ id: requestId, request, caller, status: response.status, error: code, ip, started });
    else logStranger(request, requestId, response.status, code);
    return response;
  }
  return Object.assign(serve, { contract: contract as Contract });
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

/** A path's endpoints by method; every other method answers 405 with `Allow`, in JSON, at both doors. */
export function methods(
  endpoints: Partial<Record<Method, Endpoint>> & { OPTIONS?: Handler },
): Record<Method | "OPTIONS", Handler> {
  const allow = Object.keys(endpoints).join(", ");
  const refuseMethod = Object.assign(async () => refuse(new AppError("method_not_allowed", { allow }), newId()), {
    refuses: true,
  });
  const entries = [...METHODS, "OPTIONS" as const].map((method) => [method, endpoints[method] ?? refuseMethod]);
  return Object.fromEntries(entries);
}

/** How to come back after a 401, where it is not by a token. */
const schemes: Partial<Record<ErrorCode, string>> = { invalid_public_key: "X-Public-Key" };

/** The code in an answer that is kept under a key, for the request log: a refused charge, or its replay. */
const codeOf = ({ status, body }: Answer) =>
  status < 400 ? undefined : (JSON.parse(body) as { error?: string }).error;

/** A failure as a response: documented body, request id, and the headers that tell the caller what to do. */
export function refuse(error: AppError, requestId: string): Response {
  const answer = renderError(error, requestId);
  const { retryAfterMs, allow } = error.options;
  const response = respond(answer);
  response.headers.set("x-request-id", requestId);
  if (retryAfterMs !== undefined) response.headers.set("retry-after", String(Math.ceil(retryAfterMs / 1000)));
  if (allow !== undefined) response.headers.set("allow", allow);
  if (answer.status === 401) response.headers.set("www-authenticate", schemes[error.code] ?? "Bearer");
  return response;
}

function assertMay(caller: Caller, contract: Contract) {
  if (contract.sandboxOnly && caller.account.mode !== "sandbox") throw new AppError("not_found");
  const isMissing = (scope: Scope) => !caller.scopes.includes(scope);
  if (contract.scopes?.some(isMissing)) throw new AppError("insufficient_scope");
  if (contract.feature && !caller.account.features.includes(contract.feature)) throw new AppError("feature_disabled");
}

/** After the key is read, so that a repeat of what was done before has its answer. Throws `storage_limit_reached`. */
function assertRoom(request: Request, { account }: Caller, { evenIfFull }: Contract) {
  if (account.isFull && isWrite(request) && !evenIfFull) throw new AppError("storage_limit_reached");
}

const isWrite = ({ method }: Request) => ["POST", "PUT", "PATCH"].includes(method);

function checkedParams(params: Record<string, string>, { ids = {} }: Contract) {
  for (const [name, code] of Object.entries(ids)) if (!isId(params[name] ?? "")) throw new AppError(code);
  return params;
}

async function parse(request: Request, contract: Contract) {
  const query = contract.query && check(contract.query, Object.fromEntries(new URL(request.url).searchParams));
  const text = ["GET", "HEAD"].includes(request.method) ? "" : await readText(request, contract.maxBytes);
  const value = parseJson(text, request.headers.get("content-type"));
  if (!contract.takesCards) assertNoCardData(value); // also in what the schema does not know
  const body = contract.body && check(contract.body, value);
  return { query, body, text };
}

type Outcome = [response: Response, code: string | undefined];

/** The answer of a refusal that the verb has kept. Throws every other error again. */
function keptRefusal(error: unknown, requestId: string): Answer {
  if (error instanceof AppError && error.options.isKept) return renderError(error, requestId);
  throw error;
}

async function failed(error: unknown, idem: Idem | undefined, requestId: string): Promise<Outcome> {
  const replayed = replayOf(error);
  if (replayed) return replay(replayed);
  const failure = expected(error, requestId);
  const earlier = await earlierAnswer(idem, failure);
  return earlier ? replay(earlier) : [refuse(failure, requestId), failure.code];
}

const replay = (answer: Answer): Outcome => [respond(answer, { "idempotency-replayed": "true" }), codeOf(answer)];

/**
 * What the first request under this key was answered, though today it would be refused: a recipient left, a day is over.
 * A caller without the permission gets nothing of what another caller was answered.
 */
const earlierAnswer = (idem: Idem | undefined, { code }: AppError): Promise<Answer | undefined> | undefined =>
  code === "insufficient_scope" ? undefined : findReplay(idem).then(() => undefined, replayOf);

function expected(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error;
  log.error({ requestId, error }, "request failed");
  return new AppError(isUnavailable(error) ? "unavailable" : "internal", { cause: error });
}
