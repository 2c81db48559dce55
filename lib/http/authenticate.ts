import { type AccountContext, isReplaced, toContext } from "@/lib/accounts/context";
import { toBalance } from "@/lib/accounts/read";
import type { Balance } from "@/lib/accounts/schema";
import type { Actor } from "@/lib/actor";
import { IS_STALE, IS_STEPPED_UP, isLive, LIVES, touchSession } from "@/lib/auth/live-session";
import { assertInNetworks } from "@/lib/auth/networks";
import { roles, type Scope, type StaffScope, scopesOf, staffScopesOf } from "@/lib/auth/scopes";
import { type Realm, readSessionId } from "@/lib/auth/session-cookie";
import { runPrepared } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { clientAddress } from "@/lib/http/client-address";
import type { Authentication, Contract } from "@/lib/http/contract";
import { type Found, findApiKey, findSession, findToken } from "@/lib/http/find-caller";
import { authenticatePage, type PageCaller } from "@/lib/http/page-caller";
import { isId, sha256 } from "@/lib/ids";
import { limits, WINDOW_S } from "@/lib/rate-limits/spend-slot";
import { noteSpent } from "@/lib/rate-limits/spent";
import type { Role, StaffRole } from "@/prisma/client/enums";

/** The account that a caller acts for, and the caller's rights. */
type Rights = {
  account: AccountContext;
  scopes: readonly Scope[];
  /** The role of a session, or of an API key that has a role's permissions; null for listed scopes. */
  role: Role | null;
  /** The account's balance, where the route's contract asks for it. */
  balance?: Balance;
};

/** A program; `isMasked` says whether it is answered with documents, e-mails and phones masked. */
type OfProgram = { clientId: string; isMasked: boolean };
type TokenCaller = Rights & OfProgram & { kind: "token" };
type KeyCaller = Rights & OfProgram & { kind: "key" };
/** A person by a session; `isSteppedUp` says whether they have proved just now who they are. */
type OfPerson = { userId: string; sessionId: string; isSteppedUp: boolean };
/** `liveId` is the live account of the seller, whose team is that of both modes. */
type SessionCaller = Rights & OfPerson & { kind: "session"; liveId: string; role: Role };
export type AccountCaller = TokenCaller | KeyCaller | SessionCaller;

/** The id of who calls: of the user, or of the client. */
export const callerId = (caller: AccountCaller) => (caller.kind === "session" ? caller.userId : caller.clientId);

/** A person of the operator's staff, who belongs to no account. */
export type StaffCaller = OfPerson & { kind: "staff"; staffScopes: readonly StaffScope[] };
/** Whoever is signed in, of a seller or of the staff, in what concerns no account. */
export type PersonCaller = OfPerson & { kind: "person"; isStaff: boolean };
type AnonymousCaller = { kind: "anonymous" };

export type Caller = AccountCaller | PageCaller | StaffCaller | PersonCaller | AnonymousCaller;

/** Who acts when this caller calls from this address. */
export function actorOf(caller: Caller, ip: string): Actor {
  if (caller.kind === "session") return { kind: "person", id: caller.userId, session: caller.sessionId, ip };
  if (caller.kind === "staff" || (caller.kind === "person" && caller.isStaff)) {
    return { kind: "staff", id: caller.userId, session: caller.sessionId, ip };
  }
  if (caller.kind === "person") return { kind: "person", id: caller.userId, session: caller.sessionId, ip };
  if (caller.kind === "token" || caller.kind === "key") return { kind: "credential", id: caller.clientId, ip };
  return { kind: "visitor", ip };
}

/** The caller that each way of authentication finds. */
export type CallerBy = {
  account: TokenCaller | SessionCaller;
  session: SessionCaller;
  legacy: TokenCaller | KeyCaller;
  public_key: PageCaller;
  staff: StaffCaller;
  person: PersonCaller;
  none: AnonymousCaller;
};

type Brings = Contract["brings"];
type Ways = { [A in Authentication]: (request: Request, brings: Brings) => Promise<CallerBy[A]> };

const ways: Ways = {
  account: async (request, brings) => {
    const authorization = readAuthorization(request);
    if (authorization === undefined) return bySession(request, brings);
    if (authorization?.scheme === "bearer") return byToken(request, authorization.value, brings);
    throw new AppError("unauthorized");
  },
  session: async (request, brings) => {
    if (request.headers.has("authorization")) throw new AppError("unauthorized");
    return bySession(request, brings);
  },
  legacy: async (request, brings) => {
    const authorization = readAuthorization(request);
    if (authorization?.scheme === "bearer") return byToken(request, authorization.value, brings);
    if (authorization?.scheme === "basic") return byApiKey(request, authorization.value, brings);
    throw new AppError("unauthorized");
  },
  public_key: (request) => authenticatePage(request, clientAddress(request)),
  staff: byStaffSession,
  person: byPersonSession,
  none: async () => ({ kind: "anonymous" }),
};

/**
 * Finds the caller in the way that the contract names. An account's caller spends a slot of the account's limit.
 * Throws the codes that `codesOf` lists for that way.
 */
export const authenticate = <A extends Authentication>(request: Request, auth: A, brings?: Brings) =>
  ways[auth](request, brings);

/** Scheme and value of the header; undefined where there is none, null where its form is wrong. */
function readAuthorization({ headers }: Request): { scheme: string; value: string } | null | undefined {
  const [scheme = "", value = "", ...rest] = headers.get("authorization")?.trim().split(/\s+/) ?? [];
  if (rest.length > 0) return null;
  return scheme === "" ? undefined : { scheme: scheme.toLowerCase(), value };
}

async function byToken(request: Request, token: string, brings: Brings): Promise<TokenCaller> {
  const row = await findToken(sha256(token), brings);
  if (!row) throw new AppError("unauthorized");
  assertInNetworks(clientAddress(request), row.allowed_networks);
  return { kind: "token", ...ofProgram(row), ...rightsOf(row, row.scopes as Scope[], null) };
}

/** `value` is base64(api_key). Clients that send it as the user of Basic authentication add a colon. */
async function byApiKey(request: Request, value: string, brings: Brings): Promise<KeyCaller> {
  const row = await findApiKey(sha256(Buffer.from(value, "base64").toString().replace(/:$/, "")), brings);
  if (!row) throw new AppError("unauthorized");
  assertInNetworks(clientAddress(request), row.allowed_networks);
  return { kind: "key", ...ofProgram(row), ...rightsOf(row, scopesOf(row), row.role) };
}

/** A sandbox has nobody's data, and shows a developer what a live account's program is answered. */
const ofProgram = ({ client_id, is_masked, mode }: Found & { client_id: string; is_masked: boolean }): OfProgram => ({
  ...{ clientId: client_id, isMasked: is_masked && mode === "live" },
});

/** Finds the dashboard's session. Its writes must come from our own origin, and its calls name the page's account. */
async function bySession(request: Request, brings: Brings): Promise<SessionCaller> {
  const sessionId = await readSessionOf(request, "seller");
  const account = request.headers.get("x-account") ?? "";
  const row = isId(account) ? await findSession(`${sessionId} ${account}`, brings) : undefined;
  if (!row) {
    // Another person may have signed in since the page was made, or access was removed. Another account is never used
    // instead.
    throw new AppError((await isLive(sessionId)) ? "account_changed" : "unauthorized");
  }
  if (row.stale) await touchSession(sessionId);
  const person = { userId: row.user_id, sessionId, isSteppedUp: row.stepped_up };
  const rights = { ...rightsOf(row, roles[row.role], row.role), role: row.role };
  return { kind: "session", liveId: row.live_id, ...person, ...rights };
}

function rightsOf(row: Found, scopes: readonly Scope[], role: Role | null): Rights {
  assertSlot(row);
  const account = toContext(row);
  if (isReplaced(account)) throw new AppError("unauthorized"); // what a request made that its reset overtook
  return {
    account,
    scopes,
    role,
    ...(row.balances !== undefined && { balance: toBalance(row.balances) }),
  };
}

type PersonRow = {
  user_id: string;
  stale: boolean;
  stepped_up: boolean;
  has_second_factor: boolean;
  staff_roles: StaffRole[];
} & Slot;

const PERSON = `select s.user_id, ${IS_STALE} as stale, ${IS_STEPPED_UP} as stepped_up, u.staff_roles::text[] as staff_roles,
    s.second_factor_at is not null as has_second_factor, place.wait_ms, place.left_over, place.more_in_s
  from sessions s
  join users u on u.id = s.user_id
  cross join lateral take_slots('person:' || u.id, $2, 1) place
  where s.id = $1 and ${LIVES}`;

/** Finds the person of a session of a realm, whatever account they look at. */
async function findPerson(request: Request, realm: Realm): Promise<PersonRow & { sessionId: string }> {
  if (request.headers.has("authorization")) throw new AppError("unauthorized");
  const sessionId = await readSessionOf(request, realm);
  const [row] = await runPrepared<PersonRow>("person", PERSON, [sessionId, limits.partner()]);
  if (!row || row.staff_roles.length > 0 !== (realm === "staff")) throw new AppError("unauthorized");
  assertSlot(row);
  if (row.stale) await touchSession(sessionId);
  return { ...row, sessionId };
}

/** A page of the console says that it is one, because both sessions may be in the browser. */
async function byPersonSession(request: Request): Promise<PersonCaller> {
  const isStaff = request.headers.get("x-realm") === "staff";
  const { user_id, sessionId, stepped_up } = await findPerson(request, isStaff ? "staff" : "seller");
  return { kind: "person", userId: user_id, sessionId, isSteppedUp: stepped_up, isStaff };
}

/**
 * Finds a session of the staff, which must have proved the second factor. Everybody else is answered like a caller without a
 * session. Throws `second_factor_required`.
 */
async function byStaffSession(request: Request): Promise<StaffCaller> {
  const { user_id, sessionId, stepped_up, staff_roles, has_second_factor } = await findPerson(request, "staff");
  if (!has_second_factor) throw new AppError("second_factor_required");
  return {
    ...{ kind: "staff", userId: user_id, sessionId, isSteppedUp: stepped_up },
    staffScopes: staffScopesOf(staff_roles),
  };
}

type Slot = Pick<Found, "wait_ms" | "left_over" | "more_in_s">;

/** Notes what is left of the caller's own limit. Throws `rate_limit_exceeded`. */
function assertSlot({ wait_ms: waitMs, left_over: left, more_in_s: moreInS }: Slot) {
  noteSpent({ limit: "partner", quota: limits.partner(), windowS: WINDOW_S, left, moreInS });
  if (waitMs > 0) throw new AppError("rate_limit_exceeded", { retryAfterMs: waitMs });
}

/**
 * The id in the request's session cookie of a realm. Throws `unauthorized`, and `origin_not_allowed` for a write from elsewhere.
 */
async function readSessionOf(request: Request, realm: Realm): Promise<string> {
  const sessionId = await readSessionId(request, realm);
  if (!sessionId) throw new AppError("unauthorized");
  if (!["GET", "HEAD"].includes(request.method) && !isSameOrigin(request)) throw new AppError("origin_not_allowed");
  return sessionId;
}

/**
 * Whether the browser names our own origin as the source of a write. Behind a proxy that ends TLS a request does not
 * show its scheme, so APP_URL's counts.
 */
function isSameOrigin(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  const origin = request.headers.get("origin");
  if (origin === null) return site === "same-origin";
  const host = request.headers.get("host") ?? new URL(request.url).host;
  return URL.canParse(origin) && origin === new URL(`${new URL(env.APP_URL).protocol}//${host}`).origin;
}
