import { repeat } from "@/lib/concurrency/repeat";
import { IN_SCOPE, runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import {
  type DueRows,
  given,
  isPicked,
  type Key,
  keyColumns,
  keyOf,
  keysOf,
  locked,
  lockedByKey,
  namesOf,
  turnsOf,
} from "@/lib/due/find";
import { log } from "@/lib/log";

/** Until when a row is claimed, as the database writes it: by it a claim is known. */
export type Leased = { leasedUntil: string };

type Claims = {
  /** Of the statements. Two kinds of claims on one table have two names. */
  name: string;
  /** `at` is a column of `t`, without its name: a claim moves it ahead, so that the row is due again when the lease ends. */
  rows: DueRows;
  /** How long a claim lasts without renewal: if this process dies, another one claims the row then. */
  leaseMs: number;
  /** How many rows a claim takes. */
  limit: number;
  /** SQL: what is read of the row `t` beside its key, each with a comma before it. */
  columns?: string;
  /** SQL: what a claim sets beside the instant, each with a comma before it, as ", attempts = t.attempts + 1". */
  sets?: string;
  /** SQL: after which interval `wait` makes the row `t` due (`waitOf`). */
  wait?: string;
  /**
   * The columns of a group, with which the index begins, and the one of which a claim is asked for some values: it takes up to
   * `limit` of each group, so that none fills it.
   */
  groups?: { of: Key; among: string };
};

/**
 * Claims on rows whose work is done with no transaction open, such as a question to somebody's server. Whoever has claimed a
 * row ends it, or lets it wait, or gives it back; what changes a claim does nothing to a row that was planned anew or claimed
 * by another since. Any number of processes may claim at once. Each function is one statement over all accounts.
 */
export function claimsOf<Row extends object>(claims: Claims) {
  const { name, rows, leaseMs, wait } = claims;
  const { table, key, at } = rows;
  const all = claimOf(claims, findAll(claims));
  const some = claims.groups && claimOf(claims, findGroups(claims, claims.groups));
  type Mine = Row & Leased;

  const leased = { ...key, leased_until: "timestamptz" };
  /** SQL: changes the rows that are still ours, which are `t` and, with `more` of each claim, `ours`. */
  const changeOf = (change: string, more: Key = {}) => {
    const columns = [namesOf(key), ...Object.keys(more).map((column) => `given.${column}`)].join(", ");
    return `with ${SCOPE_OF_ALL}, ours as materialized (
    select ${columns} from ${given({ ...leased, ...more }, 1)}
    cross join lateral ${lockedByKey(table, key, "given", { isInScope: true })} t
    where t.${at} = given.leased_until
  )
  ${change === "delete" ? `delete from ${table} t using ours` : `update ${table} t set ${change} from ours`}
  where ${IN_SCOPE} and ${isPicked("t", "ours", key)}
  returning ${keyColumns(key)}, t.${at}::text as "leasedUntil"`;
  };
  const later = changeOf(`${at} = now() + $${Object.keys(leased).length + 1}::float8 * interval '1 millisecond'`);
  const changed = async (text: string, of: string, mine: readonly object[], more: Key = {}, ...values: unknown[]) =>
    mine.length === 0
      ? []
      : runPrepared<Leased & object>(`${name}_${of}`, text, [...keysOf({ ...leased, ...more }, mine), ...values]);

  /** Makes what ends claims, by the name `of`: it deletes their rows, or sets columns of `t` with `more` of each claim. */
  const ending = <More extends object>(of: string, change: "delete" | (string & {}), more: Key = {}) => {
    const text = changeOf(change, more);
    return (mine: readonly (Mine & More)[]) => changed(text, of, mine, more);
  };
  const renew = (mine: readonly Mine[]) => changed(later, "later", mine, {}, leaseMs);

  return {
    ending,
    /** Claims what is due, the longest due first, of all; or of groups, without those that are excepted. */
    claim: (among?: readonly string[], except: readonly object[] = []): Promise<Mine[]> =>
      among && some
        ? runPrepared(`${name}_claim_some`, some, [among, ...keysOf(claims.groups?.of ?? {}, except)])
        : runPrepared(`${name}_claim`, all, []),
    /** Lets the claims last for the full time from now on. Returns the keys of those that are still ours, with their new end. */
    renew,
    /** Ends the claims: their rows are due after `afterMs`. */
    release: (mine: readonly Mine[], afterMs = 0) => changed(later, "later", mine, {}, afterMs),
    /** Ends the claims: their rows are due after `wait`, longer with each attempt. */
    wait: ending("wait", `${at} = now() + ${wait ?? "interval '0'"}`),
    /** Renews the claims while `run` does. Resolves to its result, and to the claims as they are then. */
    async keep<T>(mine: readonly Mine[], run: () => Promise<T>): Promise<{ result: T; kept: Mine[] }> {
      let kept = [...mine];
      const renewAll = async () => {
        const ends = new Map((await renew(kept)).map((one) => [nameOf(key, one), one.leasedUntil]));
        kept = kept.map((one) => ({ ...one, leasedUntil: ends.get(nameOf(key, one)) ?? one.leasedUntil }));
      };
      const failed = (error: unknown) => log.warn({ name, error }, "claims were not renewed");
      const stop = repeat(leaseMs * RENEW_AT, renewAll, failed);
      const result = await run().finally(stop);
      return { result, kept };
    },
  };
}

/** At which part of a claim's time it is renewed. */
const RENEW_AT = 0.4;

const nameOf = (key: Key, row: object) => JSON.stringify(Object.values(keyOf(key, row)));

/** SQL: the claim of the rows that `due` finds and locks. */
const claimOf = ({ rows: { table, key, at }, leaseMs, sets = "", columns = "" }: Claims, due: string) => `${due}
  update ${table} t set ${at} = now() + interval '${leaseMs} milliseconds'${sets}
  from due where ${IN_SCOPE} and ${isPicked("t", "due", key)}
  returning ${keyColumns(key)}, t.${at}::text as "leasedUntil"${columns}`;

const find = ({ rows: { table, key, at, only = "true" }, limit }: Claims, where = "true") =>
  locked(`select ${namesOf(key)} from ${table} t
    where ${IN_SCOPE} and ${where} and ${only} and t.${at} <= now() order by t.${at} limit ${limit}`);

const findAll = (claims: Claims) => `with ${SCOPE_OF_ALL}, due as materialized (${find(claims)})`;

function findGroups(claims: Claims, { of, among }: { of: Key; among: string }) {
  const names = Object.keys(of);
  const isOf = (row: string) => names.map((column) => `${row}.${column} = turn.${column}`).join(" and ");
  const { table, only, at } = claims.rows;
  const turns = turnsOf({ table, only, at: `t.${at}`, of: names.map((column) => `t.${column}`) }, names, {
    isInScope: true,
  });
  return `with recursive ${SCOPE_OF_ALL}, ${turns}, due as materialized (
    select found.* from turn cross join lateral (${find(claims, isOf("t"))}) found
    where first_at <= now() and turn.${among} = any($1::text[])
      and not exists (select from ${given(of, 2)} where ${isOf("given")})
  )`;
}

/**
 * SQL: an interval that doubles with each attempt, from `firstMs` after the first to `maxMs`, spread by ±10 %, so that what
 * failed together is not repeated together. `attempts` are those that were made.
 */
export const waitOf = ({ firstMs, maxMs }: { firstMs: number; maxMs: number }, attempts = "t.attempts") =>
  `least(${firstMs} * 2 ^ least(${attempts} - 1, 30), ${maxMs}) * (0.9 + 0.2 * random()) * interval '1 millisecond'`;

type Leases = {
  name: string;
  table: string;
  key: Key;
  /** The columns that say who has claimed a row, and until when. */
  by: string;
  until: string;
  leaseMs: number;
  /** The column of the instant, and in SQL after which interval `wait` makes the row `t` due. */
  wait?: readonly [column: string, interval: string];
};

/** Renews and ends a worker's claims on rows that say who has claimed them, beside the instant at which they are due. */
export function leasesOf({ name, table, key, by, until, leaseMs, wait }: Leases) {
  const change = (sets: string) => `with ${SCOPE_OF_ALL}, ours as materialized (
    select ${namesOf(key)} from ${given(key, 2)} cross join lateral ${lockedByKey(table, key, "given", { isInScope: true })} t
    where t.${by} = $1::uuid
  )
  update ${table} t set ${sets} from ours where ${IN_SCOPE} and ${isPicked("t", "ours", key)}`;
  const held = change(`${until} = now() + $${Object.keys(key).length + 2}::float8 * interval '1 millisecond'`);
  const hold = (worker: string, claimed: readonly object[], forMs: number) =>
    runPrepared(`${name}_hold`, held, [worker, ...keysOf(key, claimed), forMs]);
  const ends = `${by} = null, ${until} = null`;
  const waiting = wait && change(`${wait[0]} = now() + ${wait[1]}, ${ends}`);
  return {
    /** SQL: what claims a row `t` for the worker of parameter 1. */
    sets: `${by} = $1::uuid, ${until} = now() + interval '${leaseMs} milliseconds'`,
    /** SQL: what ends the claim of a row, in a statement that writes what came of it. */
    ends,
    /** Renews claims for the full time. A row that is locked is passed over: it is being ended, or the next renewal is in time. */
    renew: (worker: string, claimed: readonly object[]) => hold(worker, claimed, leaseMs),
    /** Ends claims after `afterMs`, so that the rows are due again. */
    release: (worker: string, claimed: readonly object[], afterMs = 0) => hold(worker, claimed, afterMs),
    /** Ends claims: their rows are due after `wait`. */
    wait: async (worker: string, claimed: readonly object[]) =>
      waiting ? runPrepared(`${name}_wait`, waiting, [worker, ...keysOf(key, claimed)]) : [],
  };
}

type InTurns = {
  name: string;
  /** `of` is one column of type uuid: whose turn it is. */
  rows: DueRows & { of: readonly [string] };
  leases: ReturnType<typeof leasesOf>;
  /** How many of those whose turn it is one claim serves, and how many rows of each. */
  turns: number;
  ofEach: number;
  /** SQL: what is read of a claimed row `t` beside its key and `turn`, each with a comma before it. */
  columns?: string;
};

/** Who was served of late, the longest ago first, and who has as much under way as one may have. */
export type Turns = { served: readonly string[]; full: readonly string[] };

/**
 * Makes the claim of rows that many wait for: they take turns. Who was not `served` of late comes first, then who was served
 * longest ago; who is `full` waits. It claims up to `count` rows for a worker, and says in how many milliseconds the next
 * row is due, or null when none is planned.
 */
export function claimInTurns<Row extends object>({ name, rows, leases, turns, ofEach, columns = "" }: InTurns) {
  const { table, key, at, only = "true", of } = rows;
  const due = `${only} and ${at} <= now()`;
  const text = `with recursive ${SCOPE_OF_ALL}, ${turnsOf(rows, ["whose"], { isInScope: true })}, served as (
    select whose, array_position($3::uuid[], whose) as served from turn
    where first_at <= now() and whose <> all($4::uuid[])
    order by served nulls first, first_at limit ${turns}
  ), chosen as (
    select s.whose, s.served, f.*, row_number() over (partition by s.whose order by f.due_at) as place
    from served s cross join lateral (
      select ${namesOf(key)}, ${at} as due_at from ${table} t
      where ${IN_SCOPE} and ${due} and ${of[0]} = s.whose order by ${at} limit ${ofEach}
    ) f
    order by place, served nulls first, due_at limit $2
  ), free as materialized (
    select ${namesOf(key)} from chosen cross join lateral ${lockedByKey(table, key, "chosen", { isInScope: true })} t where ${due}
  ), claimed as (
    update ${table} t set ${leases.sets} from free where ${IN_SCOPE} and ${isPicked("t", "free", key)}
    returning t.*, ${of[0]} as turn
  )
  select ${keyColumns(key)}, t.turn${columns}, next.ms as "nextMs"
  from (select (extract(epoch from min(first_at) - now()) * 1000)::float8 as ms from turn where first_at > now()) next
  left join claimed t on true`;
  type Claimed = Row & { turn: string };
  type Found = (Claimed | { turn: null }) & { nextMs: number | null };
  return async (worker: string, count: number, { served, full }: Turns) => {
    const found = await runPrepared<Found>(`${name}_claim`, text, [worker, count, served, full]);
    return {
      claimed: found.filter((row): row is Found & Claimed => row.turn !== null),
      nextMs: found[0]?.nextMs ?? null,
    };
  };
}
