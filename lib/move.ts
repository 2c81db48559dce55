import { currentActor, currentRequest, noteRecorded } from "@/lib/actor";
import type { Row } from "@/lib/database/json-rows";
import { expectFew, IN_SCOPE, type Query, queryOf, runPrepared, type Tx } from "@/lib/db";
import { wake, wakeOnCommit } from "@/lib/due/wake";
import { emitFrom } from "@/lib/events/emit";
import type { SubjectName } from "@/lib/events/subjects";
import { type Fact, rowsOf } from "@/lib/ledger/post";
import { leadsToSql, startsFromSql, type Transition } from "@/lib/states";

/** From which records `t` and how a record is changed; `silent` where no event reports it. */
export type Change = { from: string; set: string; silent?: boolean };

/** A noun whose records are moved in sets. Its table has the key (account_id, id) and the column updated_at. */
export type Noun<Name extends string> = {
  subject: SubjectName;
  /** SQL: its table. */
  table: string;
  /** The facts that its changes set beside the status: their names in SQL, and types. */
  facts: Readonly<Record<string, string>>;
  /** SQL: the record that an event keeps of a row. */
  record: (row: string) => string;
  changes: Readonly<Record<Name, Change>>;
};

/** What is moved: a record, with what is posted if it moves, and the facts of its change by their names in SQL. */
export type Given = {
  accountId: string;
  id: string;
  /** The request of the present act by default. */
  requestId?: string | undefined;
  posts?: readonly Fact[] | undefined;
  facts?: Readonly<Record<string, unknown>>;
};

/** A record after its change, and its status before. */
export type Moved = { record: Row; previous: string };

/** In whose transaction: `"alone"` is one prepared statement and one round trip, of any accounts. */
export type Within = Tx | Query | "alone";

/** SQL: the present by the database's clock. A statement that waits for a row reads it after the wait. */
const PRESENT = "date_trunc('milliseconds', clock_timestamp())";

/** SQL: the present on the clock of the account of `old`, which is how far that is ahead. */
export const NOW = `${PRESENT} + old.ahead`;

/** A transition as a change: `set` is the SQL of the columns that it sets beside status and time, from `t` and `old`. */
export const changeBy = (transition: Transition<string>, set = "", where = ""): Change => ({
  from: `${startsFromSql(transition, "t")}${where}`,
  set: `${leadsToSql(transition)}${set}, updated_at = ${NOW}`,
});

/** The changes of a noun that are its transitions; `sets` is the SQL of what a transition sets beside status and time. */
export const changesBy = <Name extends string>(
  transitions: Readonly<Record<Name, Transition<string>>>,
  sets: { readonly [N in Name]?: string } = {},
) =>
  Object.fromEntries(
    (Object.keys(transitions) as Name[]).map((name) => [name, changeBy(transitions[name], sets[name])]),
  ) as Record<Name, Change>;

/** A new record: its row by columns, the request that asked for it, that of the present act by default, and what is posted. */
export type New = {
  row: Row & { account_id: string; id: string; status: string; created_at: Date };
  requestId?: string | undefined;
  posts?: readonly Fact[];
};

/**
 * Writes a new record of a noun, with its event and its postings, in a transaction, which must have every account in scope that
 * a posting names. Columns that are not given have their defaults. Returns the record.
 */
export async function begin(
  within: Tx | Query,
  noun: Noun<never>,
  { row, requestId = currentRequest(), posts = [] }: New,
): Promise<Row> {
  const columns = Object.keys(row).join(", ");
  const happened = JSON.stringify({ request_id: requestId, actor: currentActor() });
  const query = typeof within === "function" ? within : queryOf(within);
  const text = `with changed as (
      insert into ${noun.table} as t (${columns}) select ${columns} from json_populate_record(null::${noun.table}, $1::json)
      returning t.account_id, t.id as subject_id, t.status, ($2::json ->> 'request_id')::uuid as request_id,
        ($2::jsonb) -> 'actor' as actor, t.created_at as occurred_at, null::text as previous, ${noun.record("t")} as record
    ), ${eventsOf(noun, "created")}
    select record from changed`;
  const [begun] = await query<{ record: Row }>("", text, [JSON.stringify(row), happened]);
  if (posts.length > 0) await query("", "select ledger_post($1::json)", [JSON.stringify(rowsOf(posts))]);
  noteRecorded();
  wakeOnCommit(within, "events");
  return (begun as { record: Row }).record;
}

/**
 * Moves records of a noun, each with its event and its postings, in one statement. Of two calls at once only the first
 * finds a record from which it may be changed. A record that may not be, or is out of scope, stays as it is and is not
 * returned. The transaction must have every account in scope that a posting names. Throws when what is to be posted was
 * posted before: each posting's source is a fact that happens once.
 */
export async function move<Name extends string>(
  within: Within,
  noun: Noun<Name>,
  name: Name,
  moves: readonly Given[],
): Promise<Moved[]> {
  const once = new Map(moves.map((one) => [one.id, one])); // a record that is named twice would have two events
  if (once.size === 0) return [];
  const given = [...once.values()];
  const posts = given.flatMap(({ id, posts = [] }) => rowsOf(posts).map((row) => ({ subject_id: id, ...row })));
  const form = { posts: posts.length > 0, alone: within === "alone" };
  const values = [JSON.stringify(given.map(rowOf)), ...(form.posts ? [JSON.stringify(posts), given.length] : [])];
  const named = `${noun.table}_${name}${form.posts ? "_post" : ""}${form.alone ? "_now" : ""}`;
  const query = within === "alone" ? runPrepared : typeof within === "function" ? within : queryOf(within);
  const changed = await query<Moved>(named, textOf(named, noun, noun.changes[name], form), values);
  if (changed.length > 0) noteRecorded();
  if (within === "alone") wake("events");
  else wakeOnCommit(within, "events");
  return changed;
}

const rowOf = ({ accountId, id, requestId = currentRequest(), facts }: Given) => ({
  ...{ account_id: accountId, id, request_id: requestId, actor: currentActor() },
  ...facts,
});

type Form = { posts: boolean; alone: boolean };
const texts = new Map<string, string>();

/** The statement of a change, which is worked out once. */
function textOf(named: string, noun: Noun<string>, change: Change, form: Form): string {
  const text = texts.get(named) ?? write(noun, change, form);
  texts.set(named, text);
  return text;
}

/**
 * SQL: changes the records of parameter 1 that may change, with their events and their postings, which are in parameter 2.
 * Parameter 3 is the number of records.
 */
const write = (
  noun: Noun<string>,
  { from, set, silent }: Change,
  { posts, alone }: Form,
) => `with ${alone ? `${SCOPE}, ` : ""}
  old as materialized (${lock(noun, from, alone ? "scope cross join" : "")}), changed as (
    update ${noun.table} t set ${set}
    from old where ${alone ? `${IN_SCOPE} and ` : ""}t.account_id = old.account_id and t.id = old.id
    returning t.account_id, t.id as subject_id, t.status, old.request_id, old.actor, t.updated_at as occurred_at, old.previous,
      ${noun.record("t")} as record
  )${silent ? "" : `, ${eventsOf(noun)}`}${posts ? `, ${POSTED}` : ""}
  select record, previous${posts ? ", (select count(*) from posted)" : ""} from changed`;

/** SQL: sets the tenant scope to all accounts (see `IN_SCOPE`), and how long to wait for a lock. */
const SCOPE = `scope as materialized (
    select set_config('app.accounts', '*', true) as name, set_config('lock_timeout', '4s', true)
  )`;

const eventsOf = ({ subject }: Pick<Noun<never>, "subject">, verb = "updated") => `event as (
    select *, '${subject}.${verb}' as type, '${subject}' as subject,
      jsonb_build_object('status', status, 'previous_status', previous) as data
    from changed
  ), ${emitFrom("event")}`;

/** SQL: posts what belongs to the records that were changed, which are nearly always all of them. */
const POSTED = `posted as materialized (
    select ledger_post(case when moved.count = $3::int then $2::json else (
        select json_agg(r) from json_array_elements($2::json) r
        where (r ->> 'subject_id')::uuid in (select subject_id from changed)
      ) end)
    from (select count(*) from changed) moved where moved.count > 0
  )`;

/**
 * SQL: the records of the JSON in parameter 1 that are so, each locked, with its status and how far its account's clock is
 * ahead; a platform's, which is no account, is the real one. All statements lock in the same order. A record is found by its key alone (see `expectFew`), and its status is compared
 * afterwards.
 */
function lock({ table, facts }: Noun<string>, isSo: string, scope: string): string {
  const named = Object.entries({ account_id: "uuid", id: "uuid", request_id: "uuid", actor: "jsonb", ...facts });
  return `
    select g.*, t.status as previous, a.ahead
    from (
      select m.* from ${scope} json_to_recordset($1::json) as m(${named.map((column) => column.join(" ")).join(", ")})
      where ${expectFew("m.id", "uuid")} order by account_id, id
    ) g
    cross join lateral (
      select coalesce((select clock_offset_ms from accounts where id = g.account_id), 0) * interval '1 millisecond' as ahead
      offset 0
    ) a
    cross join lateral (
      select * from ${table} where account_id = g.account_id and id = g.id offset 0 for update
    ) t
    where ${isSo}`;
}
