import { type AccountContext, type ContextRow, contextColumns, toContext } from "@/lib/accounts/context";
import { type Scope, scopesOf } from "@/lib/auth/scopes";
import { readSessionId } from "@/lib/auth/session-cookie";
import { together } from "@/lib/batch";
import { statement } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { isId, sha256 } from "@/lib/ids";
import { type Balances, balancesOf, gatherBalances } from "@/lib/ledger/balance";
import { limits } from "@/lib/rate-limit";
import type { Role } from "@/prisma/client/enums";

export type Authentication = "account" | "legacy";

export type Caller = {
  account: AccountContext;
  scopes: readonly Scope[];
  /** Whose permissions these are: a session's, or an API key's that follows a role. */
  role: Role | null;
  clientId: string | null;
  userId: string | null;
  /** Of a route whose contract asks for them. */
  balances?: Balances;
};

type Row = ContextRow & {
  nth: string;
  admitted: number;
  wait_ms: number;
  scopes?: Scope[];
  role?: Role | null;
  client_id?: string;
  user_id?: string;
  stale?: boolean;
  balances?: Partial<Balances> | null;
};

/**
 * Who calls: an access token, the old API's key (`legacy`), or the dashboard's session, whose writes must come from our
 * own origin and whose calls name the account that the page shows. Finds the account and takes a place of its limit.
 * Throws `unauthorized`, `origin_not_allowed`, `account_changed`, `rate_limit_exceeded`.
 */
export async function authenticate(request: Request, by: Authentication, extra?: Extra): Promise<Caller> {
  const row = await find(request, by, extra);
  if (!row) throw new AppError("unauthorized");
  if (row.wait_ms > 0) throw new AppError("rate_limit_exceeded", { retryAfterMs: row.wait_ms });
  return {
    account: toContext(row),
    scopes: scopesOf({ role: row.role ?? null, scopes: row.scopes ?? [] }),
    role: row.role ?? null,
    clientId: row.client_id ?? null,
    userId: row.user_id ?? null,
    ...(row.balances !== undefined && { balances: gatherBalances(row.balances) }),
  };
}

async function find(request: Request, by: Authentication, extra?: Extra): Promise<Row | undefined> {
  const [scheme = "", value = "", ...rest] = request.headers.get("authorization")?.trim().split(/\s+/) ?? [];
  const kind = scheme.toLowerCase();
  if (rest.length > 0) return undefined;
  if (kind === "" && by !== "legacy") return bySession(request, extra);
  if (kind === "bearer") return byToken(sha256(value), extra);
  if (kind === "basic" && by === "legacy") return byApiKey(sha256(apiKeyOf(value)), extra);
  return undefined;
}

/** `Basic base64(api_key)`; clients that know only user and password add a colon. */
const apiKeyOf = (value: string) => Buffer.from(value, "base64").toString().replace(/:$/, "");

/** What a look-up may bring along, so that its route needs no round trip of its own: a column, read within the walls. */
const extras = { balances: `(${balancesOf("k.owner")}) as balances` };
export type Extra = keyof typeof extras;

const byToken = lookup(
  "by_token",
  `select asked.nth, asked.wanted, t.account_id as owner, t.client_id, t.scopes
  from asked join access_tokens t on t.hash = asked.value and t.expires_at > now()`,
  "bytea",
);

const byApiKey = lookup(
  "by_api_key",
  `select asked.nth, asked.wanted, c.account_id as owner, c.client_id, c.scopes, c.role
  from asked join credentials c on c.api_key_hash = asked.value and c.revoked_at is null`,
  "bytea",
);

/** Sessions `s` that live: domain.md section 7. */
export const LIVES = `s.revoked_at is null and s.expires_at > now()
    and s.last_seen_at > now() - interval '30 minutes'`;

/** Its keys are a session's id and an account's, with a space between. */
const bySessionAndAccount = lookup(
  "by_session",
  `select asked.nth, asked.wanted, named.account as owner, s.user_id, m.role,
    s.last_seen_at < now() - interval '1 minute' as stale
  from asked
  cross join lateral (select split_part(value, ' ', 1)::uuid as session, split_part(value, ' ', 2)::uuid as account) named
  join sessions s on s.id = named.session and ${LIVES}
  join memberships m on m.user_id = s.user_id and named.account in (m.account_id, m.sandbox_id)`,
  "text",
);

async function bySession(request: Request, extra?: Extra) {
  const sessionId = await readSessionId(request);
  if (!sessionId) return undefined;
  if (!["GET", "HEAD"].includes(request.method) && !isSameOrigin(request)) throw new AppError("origin_not_allowed");
  const account = request.headers.get("x-account") ?? "";
  const row = isId(account) ? await bySessionAndAccount(`${sessionId} ${account}`, extra) : undefined;
  // Another person may have signed in since the page was made, or access was removed: never another account instead.
  if (!row && (await isAlive(sessionId))) throw new AppError("account_changed");
  if (row?.stale) await touchSession(sessionId);
  return row;
}

async function isAlive(sessionId: string): Promise<boolean> {
  const rows = await statement("session_lives", `select 1 from sessions s where s.id = $1 and ${LIVES}`, [sessionId]);
  return rows.length > 0;
}

/** Moves the idle limit of a session, at most once a minute; `accountId` is the account that its person looked at. */
export async function touchSession(sessionId: string, accountId?: string) {
  const text = "update sessions set last_seen_at = now(), account_id = coalesce($2, account_id) where id = $1";
  await statement("touch_session", text, [sessionId, accountId ?? null]);
}

/**
 * A browser names where a write comes from; one that does not, or names another origin, is refused. Behind a proxy that
 * ends TLS the request itself does not show its scheme: that is APP_URL's.
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  const origin = request.headers.get("origin");
  if (origin === null) return site === "same-origin";
  const host = request.headers.get("host") ?? new URL(request.url).host;
  return URL.canParse(origin) && origin === new URL(`${new URL(env.APP_URL).protocol}//${host}`).origin;
}

/**
 * Looks callers up and takes their places, all that wait in one statement: alone a request does not wait, under load
 * hundreds share a round trip. Nothing is remembered, so a revoked token ends with its row. The walls open for the
 * accounts of these callers and no other; their places are taken in the order of their ids, so that two statements
 * never deadlock.
 */
function lookup(name: string, known: string, type: "bytea" | "text") {
  const text = (extra?: Extra) => `with asked as materialized (
      select value, wanted, nth from unnest($1::${type}[], $2::int[]) with ordinality as asked(value, wanted, nth)
    ), known as materialized (${known}),
    scope as materialized (
      select set_config('app.accounts', string_agg(owner::text, ','), true) as named from known
    ), places as materialized (
      select owner, (place).granted, (place).wait_ms from (
        select owner, take_slots('partner:' || owner, $3, wanted) as place from (
          select owner, sum(wanted)::int as wanted from known group by owner order by owner offset 0
        ) turn offset 0
      ) taken
    )
    select k.*, ${contextColumns}, least(k.wanted, p.granted - k.before)::int as admitted, p.wait_ms
      ${extra ? `, ${extras[extra]}` : ""}
    from scope
    cross join (select *, sum(wanted) over (partition by owner order by nth) - wanted as before from known) k
    join places p on p.owner = k.owner
    cross join lateral (select * from accounts where id = k.owner and scope.named is not null offset 0) a`;

  const plain = batched(name, text());
  const bringing = { balances: batched(`${name}_balances`, text("balances")) };
  return (key: Buffer | string, extra?: Extra) => (extra ? bringing[extra] : plain)(key);
}

function batched(name: string, text: string) {
  return together<Buffer | string, Row | undefined>(async (keys) => {
    const groups = sameTogether(keys);
    const values = groups.map(([first = 0]) => keys[first]);
    const rows = await statement<Row>(name, text, [values, groups.map(({ length }) => length), limits.partner()]);
    const found: (Row | undefined)[] = Array.from({ length: keys.length });
    for (const row of rows) {
      groups[Number(row.nth) - 1]?.forEach((index, turn) => {
        found[index] = turn < row.admitted ? { ...row, wait_ms: 0 } : row;
      });
    }
    return found;
  });
}

/** The positions of each distinct key: one token used many times at once is looked up once. */
function sameTogether(keys: readonly (Buffer | string)[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const [index, key] of keys.entries()) {
    const name = typeof key === "string" ? key : key.toString("latin1");
    const group = groups.get(name);
    if (group) group.push(index);
    else groups.set(name, [index]);
  }
  return [...groups.values()];
}
