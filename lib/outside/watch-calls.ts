import { runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import { type CallKey, type CallKind, finishCall, readCall, resolveCall } from "@/lib/outside/calls";
import { type Progress, type WatchKind, writeEach } from "@/lib/outside/watch";

/**
 * The watch over calls of a kind, by our id of each, which its provider names in callbacks: what the call would be asked
 * (`find`) is asked now, and its outcome is written once, whichever of the two hears of it first. A call that was written as not
 * made is asked about as well, because it may have been made after all. `others` are kinds that the provider reports in the same
 * way, because to it they are the same.
 */
export const watchCalls = (kind: Findable, ...others: readonly Findable[]): WatchKind<Followed | null> => ({
  name: kind.name,

  /** The calls that are open or were not made; null for an id of none, of which nothing more is expected. */
  async read(provider, watched) {
    const kinds = [kind, ...others];
    const ids = watched.map(({ id }) => id);
    const ours = ids.filter(mayBeOurs);
    const unmade = await Promise.all(kinds.map(async ({ readUnmade }) => (await readUnmade?.(ours)) ?? []));
    const values = [kinds.map(({ name }) => name), provider, ours, JSON.stringify(unmade.flat())];
    const found = await runPrepared<Followed>("calls_watched", FOLLOWED, values);
    const byId = new Map(found.map((call) => [call.id, call]));
    return new Map(ids.map((id) => [id, byId.get(id.toLowerCase()) ?? null]));
  },

  write: writeEach(async (_provider, call) => {
    if (!call) return "over";
    const its = others.find(({ name }) => name === call.kind) ?? kind;
    if (call.doneMs !== null) return followUnmade(its, call, call.doneMs);
    await resolveCall(its, call);
    return (await readCall(call)).isDone ? "over" : "open";
  }),
});

/** `doneMs`: how long ago it was written as not made; null for an open one. */
type Followed = CallKey & { kind: string; doneMs: number | null };

type Findable = CallKind<unknown> & Required<Pick<CallKind<unknown>, "find">>;

/** How long a call that was not made is asked about, where its provider knows nothing of it. */
const FOLLOWED_MS = 7 * 86_400_000;

async function followUnmade(kind: Findable, key: CallKey, doneMs: number): Promise<Progress> {
  const answer = (await kind.find(await readCall(key))) as { status: string } | null;
  if (!answer && doneMs >= FOLLOWED_MS) return "over";
  if (!answer || answer.status === "accepted") return "open";
  await finishCall(kind, key, answer);
  return "over";
}

const mayBeOurs = (id: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);

/** One step of the index of open calls for each, and one of the key for each that was not made. */
const FOLLOWED = `with ${SCOPE_OF_ALL}
  select c.account_id as "accountId", c.id, c.kind, null::float8 as "doneMs" from scope cross join unnest($3::uuid[]) as watched(id) cross join lateral (
    select account_id, id, kind from calls
    where scope.name is not null and id = watched.id and kind = any($1::text[]) and provider = $2 and done_at is null offset 0
  ) c
  union all
  select c.account_id, c.id, c.kind, (extract(epoch from clock_timestamp() - c.done_at) * 1000)::float8
  from scope cross join json_to_recordset($4::json) as unmade("accountId" uuid, id uuid) cross join lateral (
    select account_id, id, kind, done_at from calls
    where scope.name is not null and account_id = unmade."accountId" and id = unmade.id and kind = any($1::text[]) and provider = $2
      and done_at is not null offset 0
  ) c`;
