import { type ContextRow, contextColumns } from "@/lib/accounts/context";
import { type BalancesColumn, balancesColumn } from "@/lib/accounts/read";
import { IS_STALE, IS_STEPPED_UP, LIVES } from "@/lib/auth/live-session";
import { coalesce } from "@/lib/concurrency/coalesce";
import { runPrepared } from "@/lib/db";
import { limits } from "@/lib/rate-limits/spend-slot";
import type { Role } from "@/prisma/client/enums";

/** The account of a key. `wait_ms` is 0 when a slot was spent, or else the time until its limit has a free one. */
export type Found = ContextRow & { wait_ms: number; left_over: number; more_in_s: number; balances?: BalancesColumn };

type Row<Columns> = Found & Columns & { nth: string; admitted: number; later: number };

/** By the hash of an access token. */
export const findToken = lookup<{
  client_id: string;
  scopes: string[];
  allowed_networks: string[];
  is_masked: boolean;
}>(
  "by_token",
  `select asked.nth, asked.wanted, t.account_id as owner, t.client_id, t.scopes, t.allowed_networks, t.is_masked
  from asked join access_tokens t on t.hash = asked.value and t.expires_at > now()`,
  "bytea",
);

/** By the hash of an API key. */
export const findApiKey = lookup<{
  client_id: string;
  scopes: string[];
  allowed_networks: string[];
  is_masked: boolean;
  role: Role | null;
}>(
  "by_api_key",
  `select asked.nth, asked.wanted, c.account_id as owner, c.client_id, c.scopes, c.allowed_networks, c.is_masked, c.role
  from asked join credentials c on c.api_key_hash = asked.value and c.revoked_at is null
    and (c.expires_at is null or c.expires_at > now())`,
  "bytea",
);

/** By a session's id and an account's, with a space between. */
export const findSession = lookup<{
  user_id: string;
  role: Role;
  live_id: string;
  stale: boolean;
  stepped_up: boolean;
}>(
  "by_session",
  `select asked.nth, asked.wanted, named.account as owner, s.user_id, m.role, m.account_id as live_id, ${IS_STALE} as stale,
    ${IS_STEPPED_UP} as stepped_up
  from asked
  cross join lateral (select split_part(value, ' ', 1)::uuid as session, split_part(value, ' ', 2)::uuid as account) named
  join sessions s on s.id = named.session and ${LIVES}
  join memberships m on m.user_id = s.user_id and named.account in (m.account_id, m.sandbox_id)`,
  "text",
);

type Key = Buffer | string;

/**
 * Looks callers up and spends their slots, in one statement for all that wait: a single request does not wait, and
 * under load hundreds share a round trip. Nothing is cached, so a revoked token ends with its row. The statement's
 * tenant scope is exactly the accounts of these callers. Slots are spent in the order of the accounts' ids, so that two
 * statements never deadlock.
 */
function lookup<Columns>(name: string, known: string, type: "bytea" | "text") {
  const text = (extra: string) => `with asked as materialized (
      select value, wanted, nth from unnest($1::${type}[], $2::int[]) with ordinality as asked(value, wanted, nth)
    ), known as materialized (${known}),
    scope as materialized (
      select set_config('app.accounts', string_agg(owner::text, ','), true) as named from known
    ), places as materialized (
      select owner, (place).granted, (place).wait_ms, (place).left_over, (place).more_in_s from (
        select owner, take_slots('partner:' || owner, $3, wanted) as place from (
          select owner, sum(wanted)::int as wanted from known group by owner order by owner offset 0
        ) turn offset 0
      ) taken
    )
    select k.*, ${contextColumns}, least(k.wanted, p.granted - k.before)::int as admitted, (p.granted - k.before)::int as later, p.wait_ms, p.left_over, p.more_in_s ${extra}
    from scope
    cross join (select *, sum(wanted) over (partition by owner order by nth) - wanted as before from known) k
    join places p on p.owner = k.owner
    cross join lateral (select * from accounts where id = k.owner and scope.named is not null offset 0) a`;

  const plain = batched<Columns>(name, text(""));
  const withBalance = batched<Columns>(`${name}_balances`, text(`, ${balancesColumn("k.owner")}`));
  return (key: Key, brings?: "balance") => (brings ? withBalance : plain)(key);
}

function batched<Columns>(name: string, text: string) {
  return coalesce<Key, Row<Columns> | undefined>(async (keys) => {
    const groups = sameTogether(keys);
    const values = groups.map(([first = 0]) => keys[first]);
    const rows = await runPrepared<Row<Columns>>(name, text, [
      values,
      groups.map(({ length }) => length),
      limits.partner(),
    ]);
    const found: (Row<Columns> | undefined)[] = Array.from({ length: keys.length });
    for (const row of rows) {
      groups[Number(row.nth) - 1]?.forEach((index, turn) => {
        const left_over = row.left_over + Math.max(0, row.later - turn - 1); // those after it in this statement took theirs
        found[index] = turn < row.admitted ? { ...row, wait_ms: 0, left_over } : row;
      });
    }
    return found;
  });
}

/** The positions of each distinct key, so that a token which is used many times at once is looked up once. */
function sameTogether(keys: readonly Key[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const [index, key] of keys.entries()) {
    const name = typeof key === "string" ? key : key.toString("latin1");
    const group = groups.get(name);
    if (group) group.push(index);
    else groups.set(name, [index]);
  }
  return [...groups.values()];
}
