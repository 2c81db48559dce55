import type { z } from "zod";
import type { AccountContext } from "@/lib/accounts/context";
import type { Balance } from "@/lib/accounts/schema";
import { countStored, keyBytes, rowBytes } from "@/lib/accounts/storage";
import { actAs, isRecorded } from "@/lib/actor";
import { type Scope, seesWhole } from "@/lib/auth/scopes";
import { admit, isUnavailable } from "@/lib/db";
import { env } from "@/lib/env";
import { type Answer, AppError, renderError } from "@/lib/errors";
import { refusal, respond } from "@/lib/http/answer";
import { type Attachment, attachmentOf } from "@/lib/http/attachment";
import { type AccountCaller, actorOf, authenticate, type Caller, type CallerBy } from "@/lib/http/authenticate";
import { parseJson, readBytes, readText } from "@/lib/http/body";
import { check } from "@/lib/http/check";
import { clientAddress } from "@/lib/http/client-address";
import { type Authentication, acceptsKey, type Contract, codesOf } from "@/lib/http/contract";
import { csvOf } from "@/lib/http/csv";
import { readIdem } from "@/lib/http/idempotency-key";
import type { Handler } from "@/lib/http/methods";
import { corsOf } from "@/lib/http/page-caller";
import { rateLimitHeaders } from "@/lib/http/rate-limit-headers";
import { logAnonymous, logRequest } from "@/lib/http/request-log";
import { findReplay, type Idem, type Intent, replayOf } from "@/lib/idempotency";
import { isId, newId, sha256 } from "@/lib/ids";
import type { CsvLines } from "@/lib/lists/csv";
import { log } from "@/lib/log";
import { limitKey } from "@/lib/net/address";
import { assertNoCardData } from "@/lib/pan/detect";
import { maskJson, maskLines, maskMembers } from "@/lib/privacy/mask";
import { spendSlot } from "@/lib/rate-limits/spend-slot";
import { collectSpent, type Spent } from "@/lib/rate-limits/spent";
import { DAY_MS } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
type CallerOf<C extends Contract> = CallerBy[C["auth"] extends Authentication ? C["auth"] : "account"] &
  (C["brings"] extends "balance" ? { balance: Balance } : unknown);

/** The input of a handler: the parts of the request that its contract names, parsed, and the caller. */
export type Input<C extends Contract> = {
  caller: CallerOf<C>;
  account: CallerOf<C> extends { account: AccountContext } ? AccountContext : undefined;
  params: Record<string, string>;
  query: Parsed<C["query"]>;
  body: Parsed<C["body"]>;
  file: C["file"] extends readonly string[] ? Buffer : undefined;
  intent: Intent;
  ip: string;
  userAgent: string;
};

export type Endpoint = Handler & { contract: Contract };

/** What is known of a request so far. An error may come before the optional parts are known. */
type Serving = { request: Request; requestId: string; ip: string; caller?: Caller; idem?: Idem | undefined };

/** An answer with its headers, and for the request log the code of a failure. */
type Outcome = {
  answer: Answer;
  headers?: Record<string, string>;
  code: string | undefined;
  /** Sent in place of the answer's body. */
  stream?: ReadableStream;
};

/**
 * Makes the handler of an API route: it authenticates, limits, parses, runs the verb once per Idempotency-Key, shapes
 * the answer, and turns errors into their answers. Every route of the API is made by it.
 */
export function endpoint<const C extends Contract>(
  contract: C,
  handle: (input: Input<C>) => Promise<z.input<C["response"]>>,
): Endpoint {
  const { auth = "account", status = 200, goesOn, response, brings, limit }: Contract = contract;
  const render = (result: unknown): Answer => ({
    status: goesOn?.(result as never) ? 202 : status,
    body: JSON.stringify(response.parse(result)),
  });

  async function run(serving: Serving, pathParams: Record<string, string>): Promise<Outcome> {
    const { request, requestId, ip } = serving;
    if (limit) await spendSlot(limit, limitKey(ip));
    const caller = await authenticate(request, auth, brings);
    serving.caller = caller;
    if ("scopes" in caller) assertMay(caller, contract);
    if (contract.staffScope && !(caller.kind === "staff" && caller.staffScopes.includes(contract.staffScope))) {
      throw new AppError("insufficient_scope");
    }
    if (contract.stepUp) assertSteppedUp(caller);
    const params = checkedParams(pathParams, contract);
    const { query, body, file, text, value, bytes } = await parse(request, contract);
    const account = "account" in caller ? caller.account : undefined;
    if (("scopes" in caller || caller.kind === "staff") && acceptsKey(contract, request.method)) {
      const accountId = account?.id ?? params.id ?? "";
      serving.idem = readIdem(request, { caller, accountId, text, value, render, showsSecret: contract.showsSecret });
    }
    const { idem } = serving;
    if (account) assertOpen(request, account, contract);
    if (account) assertRoom(request, caller, account, contract);
    const userAgent = request.headers.get("user-agent")?.slice(0, 500) ?? "";
    const intent = { idem, requestId };
    const input = { caller, account, params, query, body, file, intent, ip, userAgent };
    if (contract.csv) {
      const [name, accountId] = [contract.csv, account?.id ?? caller.kind];
      const lines = (await actAs(actorOf(caller, ip), () => handle(input as Input<C>), requestId)) as CsvLines;
      const shown = isMasked(caller) ? maskLines(lines(maskMembers)) : lines((record) => record);
      return admit(accountId, () => csvOf(name, shown, { accountId, requestId }));
    }
    if (contract.attachment) {
      if (isMasked(caller)) throw new AppError("insufficient_scope"); // a file is given whole or not at all
      const read = () => handle(input as Input<C>);
      return attachmentOf((await (account ? admit(account.id, read) : read())) as Attachment);
    }
    const act = async () => {
      const result = await handle(input as Input<C>);
      if (env.NODE_ENV === "test") assertRecorded(request, contract);
      return result;
    };
    const verb = () =>
      actAs(actorOf(caller, ip), act, requestId).then(render, (error) => keptRefusal(error, requestId));
    const answer = await (account ? admit(account.id, verb) : verb());
    if (account && isWrite(request)) {
      const answerBytes = idem ? keyBytes(answer.body) : 0; // the answer is kept under its key
      const isVisitor = caller.kind === "page";
      const kept = isVisitor ? Math.min(bytes, rowBytes.token) : bytes; // what a visitor pads a card with is not stored
      countStored(account.id, rowBytes.record + kept + answerBytes, isVisitor ? "visitors" : "account");
    }
    return { answer, code: codeOf(answer) };
  }

  const serve: Handler = async (request, context) => {
    const started = performance.now();
    const serving: Serving = { request, requestId: newId(), ip: clientAddress(request) };
    const spent = new Map<string, Spent>();
    const outcome = collectSpent(spent, async () => run(serving, (await context.params) ?? {}));
    const { answer, headers, code, stream } = await outcome.catch((error) => failed(error, serving));
    const { requestId: id, ip, caller } = serving;
    if (env.NODE_ENV === "test") assertDeclared(code, request, contract);
    if (!caller || !("account" in caller)) logAnonymous(request, id, answer.status, code);
    else logRequest({ id, request, caller, status: answer.status, error: code, ip, started });
    const isHead = request.method === "HEAD"; // a stream that nobody reads would keep what it holds
    if (isHead) await stream?.cancel();
    const text = isMasked(caller) ? maskJson(answer.body) : answer.body; // under a key it is kept whole
    const body = stream ? (isHead ? null : stream) : text;
    const limited = rateLimitHeaders(spent, caller, answer.status);
    const further = { ...limited, ...headers, ...(caller?.kind === "page" && corsOf(caller, answer.status)) };
    return respond({ ...answer, body }, id, further);
  };
  return Object.assign(serve, { contract });
}

/** Whether the answer has documents, e-mails and phones masked, because the caller is a person who may not see them, or their program. */
const isMasked = (caller: Caller | undefined) =>
  ((caller?.kind === "token" || caller?.kind === "key") && caller.isMasked) ||
  (caller?.kind === "session" && !seesWhole(caller.scopes)) ||
  (caller?.kind === "staff" && !seesWhole(caller.staffScopes));

/** Throws where a caller lacks what a contract names, or a handler for some of its queries: `insufficient_scope`, `feature_disabled`. */
export function assertMay(caller: AccountCaller, contract: Pick<Contract, "sandboxOnly" | "scopes" | "feature">) {
  if (contract.sandboxOnly && caller.account.mode !== "sandbox") throw new AppError("not_found");
  const isMissing = (scope: Scope) => !caller.scopes.includes(scope);
  if (contract.scopes?.some(isMissing)) throw new AppError("insufficient_scope");
  if (contract.feature && !caller.account.features.includes(contract.feature)) throw new AppError("feature_disabled");
}

/** Throws `step_up_required` where the caller is a person who has not proved just now who they are. */
export function assertSteppedUp(caller: Caller) {
  if ("isSteppedUp" in caller && !caller.isSteppedUp) throw new AppError("step_up_required");
}

/** Throws `account_closed` for what would change an account that its owner has closed. */
function assertOpen({ method }: Request, { status }: AccountContext, { evenIfClosed }: Contract) {
  if (status === "closed" && !["GET", "HEAD"].includes(method) && !evenIfClosed) throw new AppError("account_closed");
}

/** Throws `storage_limit_reached`, and for a page `public_rate_limit_exceeded`. It runs after the key is read, so that a repeat still gets its answer. */
function assertRoom(request: Request, caller: Caller, account: AccountContext, { evenIfFull }: Contract) {
  if (!isWrite(request)) return;
  if (caller.kind === "page") {
    if (!account.isVisitorsFull && !account.isClosed) return;
    throw new AppError("public_rate_limit_exceeded", {
      retryAfterMs: DAY_MS - (realNow().getTime() % DAY_MS),
      headers: caller.cors,
    });
  }
  if (account.isClosed || (account.isFull && !evenIfFull)) throw new AppError("storage_limit_reached");
}

const isWrite = ({ method }: Request) => ["POST", "PUT", "PATCH"].includes(method);

function checkedParams(params: Record<string, string>, { ids = {} }: Contract) {
  const checked = { ...params };
  for (const [name, code] of Object.entries(ids)) {
    const id = params[name] ?? "";
    if (!isId(id)) throw new AppError(code);
    checked[name] = id.toLowerCase(); // as it is kept, and compared with names of scopes
  }
  return checked;
}

async function parse(request: Request, contract: Contract) {
  const query = contract.query && check(contract.query, Object.fromEntries(new URL(request.url).searchParams));
  if (contract.file) {
    const file = await readBytes(request, contract.maxBytes);
    return { query, file, text: sha256(file).toString("hex"), value: undefined, bytes: file.byteLength };
  }
  const text = ["GET", "HEAD"].includes(request.method) ? "" : await readText(request, contract.maxBytes);
  const value = parseJson(text, request.headers.get("content-type"));
  if (!contract.acceptsCards) assertNoCardData(value); // also in members that the schema does not have
  const body = contract.body && check(contract.body, value);
  return { query, body, text, value, bytes: Buffer.byteLength(text) };
}

/** The answer of a refusal that the verb has stored under the key. Throws every other error again. */
function keptRefusal(error: unknown, requestId: string): Answer {
  if (error instanceof AppError && error.options.isKept) return renderError(error, requestId);
  throw error;
}

/** The error code in an answer that is stored under a key, such as that of a refused charge. */
const codeOf = ({ status, body }: Answer) =>
  status < 400 ? undefined : (JSON.parse(body) as { error?: string }).error;

async function failed(error: unknown, { idem, requestId }: Serving): Promise<Outcome> {
  const replayed = replayOf(error);
  if (replayed) return replay(replayed);
  const failure = expected(error, requestId);
  const earlier = await earlierAnswer(idem, failure);
  return earlier ? replay(earlier) : { ...refusal(failure, requestId), code: failure.code };
}

const replay = (answer: Answer): Outcome => ({
  answer,
  headers: { "idempotency-replayed": "true" },
  code: codeOf(answer),
});

/**
 * The stored answer of this key, although the same request would be refused now, for instance because a recipient left.
 * A caller without the permission does not get the answer of another caller.
 */
const earlierAnswer = (idem: Idem | undefined, { code }: AppError): Promise<Answer | undefined> | undefined =>
  code === "insufficient_scope" ? undefined : findReplay(idem).then(() => undefined, replayOf);

function expected(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error;
  log.error({ requestId, error }, "request failed");
  return isUnavailable(error)
    ? new AppError("unavailable", { cause: error, retryAfterMs: RETRY_AFTER_MS })
    : new AppError("internal", { cause: error });
}

/** When to repeat what could not be done because the database was away, or slow. */
const RETRY_AFTER_MS = 1_000;

/** Throws for a write of an account's caller or the staff that left no event, so that nobody could say who made it. */
function assertRecorded({ method, url }: Request, { auth = "account", leavesNoEvent }: Contract) {
  const isWatched =
    !["GET", "HEAD"].includes(method) && ["account", "session", "legacy", "staff", "person"].includes(auth);
  if (isWatched && !leavesNoEvent && !isRecorded()) throw new Error(`${method} ${url} left no event`);
}

/** Throws for a code that the contract does not declare, because the route's document does not list it. */
function assertDeclared(code: string | undefined, { method, url }: Request, contract: Contract) {
  const declared: ReadonlySet<string> = codesOf(contract, method === "HEAD" ? "GET" : method);
  if (code && !declared.has(code))
    throw new Error(`${method} ${url} answers ${code}, which its contract does not have`);
}
