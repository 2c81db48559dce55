import DataLoader from "dataloader";
import { type AccountContext, type ContextRow, contextColumns, toContext } from "@/lib/accounts/context";
import { roles, type Scope } from "@/lib/auth/scopes";
import { readSessionId } from "@/lib/auth/session-cookie";
import { statement } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { limits } from "@/lib/http/rate-limit";
import { sha256 } from "@/lib/ids";

export type Caller = {
  account: AccountContext;
  scopes: readonly Scope[];
  clientId: string | null;
  userId: string | null;
  sessionId: string | null;
};

type Row = ContextRow & {
  nth: string;
  admitted: number;
  wait_ms: number;
  scopes?: Scope[];
  role?: keyof typeof roles;
  client_id?: string;
  user_id?: string;
  session_id?: string;
  stale?: boolean;
};

/**
 * Who calls: an access token, the old API's key (`legacy`), or the dashboard's session, whose writes must come from
 * our own origin. Finds the account and takes a place of its limit.
 * Throws `unauthorized`, `origin_not_allowed`, `rate_limit_exceeded`.
 */
export async function authenticate(request: Request, { legacy = false } = {}): Promise<Caller> {
  const row = await find(request, legacy);
  if (!row) throw new AppError("unauthorized");
  if (row.wait_ms > 0) throw new AppError("rate_limit_exceeded", { retryAfterMs: row.wait_ms });
  return {
    account: toContext(row),
    scopes: row.scopes ?? (row.role ? roles[row.role] : []),
    clientId: row.client_id ?? null,
    userId: row.user_id ?? null,
    sessionId: row.session_id ?? null,
  };
}

async function find(request: Request, legacy: boolean): Promise<Row | undefined> {
  const [scheme = "", value = ""] = request.headers.get("authorization")?.trim().split(/\s+/, 2) ?? [];
  const kind = scheme.toLowerCase();
  if (kind === "bearer") return byToken.load(sha256(value));
  if (legacy) return kind === "basic" ? byApiKey.load(sha256(apiKeyOf(value))) : undefined;
  return kind === "" ? bySession(request) : undefined;
}

/** `Basic base64(api_key)`; clients that know only user and password add a colon. */
const apiKeyOf = (value: string) => Buffer.from(value, "base64").toString().replace(/:$/, "");

const byToken = lookup(
  "by_token",
  `select asked.nth, asked.wanted, t.client_id, t.scopes, ${contextColumns}
  from asked join access_tokens t on t.hash = asked.value and t.expires_at > now()
  cross join lateral account_in_scope(t.account_id) a`,
  "bytea",
);

const byApiKey = lookup(
  "by_api_key",
  `select asked.nth, asked.wanted, c.client_id, c.scopes, ${contextColumns}
  from asked join credentials c on c.api_key_hash = asked.value and c.revoked_at is null
  cross join lateral account_in_scope(c.account_id) a`,
  "bytea",
);

const bySessionId = lookup(
  "by_session",
  `select asked.nth, asked.wanted, s.id as session_id, s.user_id, m.role, s.last_seen_at < now() - interval '1 minute' as stale,
    ${contextColumns}
  from asked join sessions s on s.id = asked.value and s.revoked_at is null and s.expires_at > now()
    and s.last_seen_at > now() - interval '30 minutes'
  cross join lateral account_in_scope(s.account_id) a
  join memberships m on m.user_id = s.user_id and a.id in (m.account_id, m.sandbox_id)`,
  "uuid",
);

async function bySession(request: Request) {
  const sessionId = await readSessionId(request);
  if (!sessionId) return undefined;
  if (!["GET", "HEAD"].includes(request.method) && !isSameOrigin(request)) throw new AppError("origin_not_allowed");
  const row = await bySessionId.load(sessionId);
  if (row?.stale) await touchSession(sessionId);
  return row;
}

/** Moves the idle limit of a session, at most once a minute. */
export async function touchSession(sessionId: string) {
  await statement("touch_session", "update sessions set last_seen_at = now() where id = $1", [sessionId]);
}

/** A browser names where a write comes from; one that does not, or names another origin, is refused. */
function isSameOrigin(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  const origin = request.headers.get("origin");
  if (origin === null) return site === "same-origin";
  return URL.canParse(origin) && new URL(origin).host === (request.headers.get("host") ?? new URL(request.url).host);
}

/** How many look-ups of one kind may be on their way at once; what arrives meanwhile goes together in the next. */
const ON_THEIR_WAY = 2;

/**
 * Looks callers up and takes their places, all that wait in one statement: alone a request does not wait, under load
 * hundreds share a round trip. Nothing is remembered, so a revoked token ends with its row. Accounts are locked in
 * the order of their ids, so that two statements never wait for each other.
 */
function lookup(name: string, known: string, type: "bytea" | "uuid") {
  const text = `with asked as materialized (
      select value, wanted, nth from unnest($1::${type}[], $2::int[]) with ordinality as asked(value, wanted, nth)
    ), known as materialized (${known}),
    turns as (
      select *, sum(wanted) over (partition by account_id order by nth) - wanted as before from known
    ), places as materialized (
      select w.account_id as id, taken.* from (
        select account_id, sum(wanted)::int as wanted from known group by account_id order by account_id offset 0
      ) w cross join lateral take_slots('partner:' || w.account_id, $3, w.wanted) taken
    )
    select turns.*, least(wanted, granted - before)::int as admitted, places.wait_ms
    from turns join places on places.id = turns.account_id`;
  let onTheirWay = 0;
  const next: (() => void)[] = [];

  return new DataLoader<Buffer | string, Row | undefined>(
    async (keys) => {
      onTheirWay++;
      try {
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
      } finally {
        onTheirWay--;
        next.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize: 200,
      batchScheduleFn: (send) => (onTheirWay < ON_THEIR_WAY ? setImmediate(send) : next.push(send)),
    },
  );
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
