import { IN_SCOPE, runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import type { leasesOf } from "@/lib/due/claims";
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

/** The first half of the advisory locks under which one process at a time counts what is claimed; the second is its name. */
const CLAIMING = 7_003;

type Rows = {
  name: string;
  rows: DueRows;
  leases: ReturnType<typeof leasesOf>;
  /** SQL: what is read of a claimed row `t` beside its key, each with a comma before it. */
  columns?: string;
  /** SQL: what a claim sets beside the lease, each with a comma before it. */
  sets?: string;
};

type InGroups = Rows & {
  /** The columns of a group, as a provider and a kind, and the one of which a claim is asked for some values. */
  group: Key;
  among: string;
  /** The column, of type uuid, that says whose turn it is. The index has it after those of the group and before the instant. */
  whose: string;
  /**
   * SQL: a function that counts the claimed rows by the columns of `group` and `whose`, as `count`. It is volatile, because the
   * snapshot of a statement does not show what was claimed until the statement got its lock.
   */
  running: string;
  /** How many rows of one group are claimed at once, by all processes together, and how many of them are of one turn. */
  atOnce: number;
  ofOne: number;
};

/** What was claimed. It `isCounting` where another process claims just now: whoever claimed nothing for that looks again soon. */
export type Claimed<Row> = { claimed: Row[]; isCounting: boolean };

/**
 * Makes the claim of rows that are worked on in groups, of which each has places of its own, so that none fills another's.
 * Within a group all whose rows are due take turns, in rounds; and whoever has fewer claimed rows comes first. The rows that
 * are claimed already are counted under a lock, so that processes that claim at the same moment do not exceed the numbers. A
 * full group costs the same however many rows wait in it, and another one costs as many steps of the index as it has free
 * places, beside one for each whose rows are not due yet.
 */
export function claimInGroups<Row extends object>(claims: InGroups) {
  const { name, group, whose } = claims;
  const turn = { ...group, [whose]: "uuid" };
  const text = claimOf(claims, turn);
  /** Where the round of each group has come to. */
  const rounds = new Map<string, object>();

  return async (worker: string, among: readonly string[]): Promise<Claimed<Row>> => {
    const found = await runPrepared<Found<Row>>(`${name}_claim`, text, [
      worker,
      among,
      ...keysOf(turn, [...rounds.values()]),
    ]);
    const claimed = found.filter(({ nth }) => nth !== null);
    for (const row of claimed) rounds.set(JSON.stringify(keyOf(group, row)), keyOf(turn, row));
    return { claimed, isCounting: found[0]?.isCounting === true };
  };
}

/** A row of the claim, in the order of the turns; without one that was claimed it says only whether another process counts. */
type Found<Row> = Row & { nth: number | null; isCounting: boolean };

/**
 * SQL: the claim. It names one whose turn it is as a range, so that their rows are read in the order of the instants: by
 * equality a plan could read all of them by another index, and sort them.
 */
function claimOf(
  { group, among, whose, running, atOnce, ofOne, columns = "", sets = "", ...claims }: InGroups,
  turn: Key,
) {
  const { name, rows, leases } = claims;
  const { table, key, at, only = "true" } = rows;
  const names = Object.keys(group);
  const columnsOf = (row: string) => names.map((column) => `${row}.${column}`).join(", ");
  const isOf = (row: string, other: string, of = names) =>
    of.map((column) => `${row}.${column} = ${other}.${column}`).join(" and ");
  const groups = turnsOf({ ...rows, of: names.map((column) => `t.${column}`), order: `t.${whose}, ${at}` }, names, {
    begin: "(select not is_counting from lock)",
    isInScope: true,
  });
  /** Stops at the last one that has a place. */
  const round = (from: string) => `(
        with recursive ${turnsOf(
          { ...rows, of: [`t.${whose}`], only: `${only} and ${isOf("t", "p")} and t.${whose} ${from}` },
          [whose],
          { isInScope: true },
        )}
        select turn.${whose}, coalesce(r.count, 0) as busy
        from turn left join lateral (
          select r.count from running r where ${isOf("r", "p")} and r.${whose} = turn.${whose} offset 0
        ) r on true
        where first_at <= now() and coalesce(r.count, 0) < ${ofOne} limit p.free
      )`;
  return `with recursive ${SCOPE_OF_ALL}, lock as materialized (
    select not pg_try_advisory_xact_lock(${CLAIMING}, hashtext('${name}')) as is_counting
  ), running as materialized (
    select r.* from lock cross join lateral ${running} r where ${IN_SCOPE} and not lock.is_counting
  ), ${groups}, place as materialized (
    select ${columnsOf("turn")}, coalesce(given.${whose}, '${NOBODY}'::uuid) as round, ${atOnce} - coalesce(
      (select sum(r.count) from running r where ${isOf("r", "turn")}), 0
    )::int as free
    from turn left join ${given(turn, 3)} on ${isOf("given", "turn")} where turn.${among} = any($2::text[])
  ), chosen as (
    select p.free, f.*, row_number() over (partition by ${columnsOf("p")} order by w.busy + f.place, w.nth) as nth
    from place p cross join lateral (
      select *, row_number() over () as nth from (${round("> p.round")} union all ${round("<= p.round")} limit p.free) w
    ) w cross join lateral (
      select *, row_number() over () as place from (
        select ${namesOf(key)} from ${table} t
        where ${IN_SCOPE} and ${only} and ${isOf("t", "p")} and t.${whose} between w.${whose} and w.${whose} and ${at} <= now()
        order by t.${whose}, ${at} limit least(p.free, ${ofOne} - w.busy)
      ) f
    ) f
    where p.free > 0
  ), free as materialized (
    select ${namesOf(key)}, chosen.nth from (select * from chosen where nth <= free offset 0) chosen
    cross join lateral ${lockedByKey(table, key, "chosen", { isInScope: true })} t
    where ${only} and ${at} <= now()
  ), ${claiming(rows, leases, sets, ", free.nth")}
  select ${keyColumns({ ...turn, ...key })}${columns}, t.nth::int, lock.is_counting as "isCounting"
  from lock left join claimed t on true order by t.nth`;
}

/** Comes before all whose turn it is. */
const NOBODY = "00000000-0000-0000-0000-000000000000";

type OfOne = Rows & {
  /** SQL: what else must hold of the row `t`. Its parameters begin with the third; the second is the account. */
  where: string;
  /** How many rows a claim takes. */
  limit: number;
};

/** Makes the claim of what is due of one account, for whoever waits for it: the longest due first, without turns and places. */
export function claimOfOne<Row extends object>({ name, rows, leases, where, limit, columns = "", sets = "" }: OfOne) {
  const { table, key, at, only = "true" } = rows;
  const find = `select ${namesOf(key)} from ${table} t
    where ${IN_SCOPE} and t.account_id = $2::uuid and ${only} and ${at} <= now() and ${where} order by ${at} limit ${limit}`;
  const text = `with ${SCOPE_OF_ALL}, free as materialized (${locked(find)}), ${claiming(rows, leases, sets)}
  select ${keyColumns(key)}${columns} from claimed t`;
  return (worker: string, accountId: string, ...values: unknown[]): Promise<Row[]> =>
    runPrepared<Row>(`${name}_claim_one`, text, [worker, accountId, ...values]);
}

/** SQL: a query `claimed` of the rows that `free` has locked, which are the worker's from now on. */
const claiming = (
  { table, key }: DueRows,
  leases: ReturnType<typeof leasesOf>,
  sets: string,
  more = "",
) => `claimed as (
    update ${table} t set ${leases.sets}${sets} from free where ${IN_SCOPE} and ${isPicked("t", "free", key)}
    returning t.*${more}
  )`;
