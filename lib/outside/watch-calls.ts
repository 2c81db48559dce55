import { runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import { type CallKey, type CallKind, readCall, resolveCall } from "@/lib/outside/calls";
import { type WatchKind, writeEach } from "@/lib/outside/watch";

/**
 * The watch over calls of a kind, by our id of each, which its provider names in callbacks: what the call would be asked
 * (`find`) is asked now, and its outcome is written once, whichever of the two hears of it first.
 */
export const watchCalls = (kind: Findable): WatchKind<CallKey | null> => ({
  name: kind.name,

  /** The open calls; null for an id of none, of which nothing more is expected. */
  async read(provider, watched) {
    const ids = watched.map(({ id }) => id);
    const open = await runPrepared<CallKey>("calls_watched", OPEN, [kind.name, provider, ids.filter(mayBeOurs)]);
    const byId = new Map(open.map((call) => [call.id, call]));
    return new Map(ids.map((id) => [id, byId.get(id.toLowerCase()) ?? null]));
  },

  write: writeEach(async (_provider, call) => {
    if (!call) return "over";
    await resolveCall(kind, call);
    return (await readCall(call)).isDone ? "over" : "open";
  }),
});

type Findable = CallKind<unknown> & Required<Pick<CallKind<unknown>, "find">>;

const mayBeOurs = (id: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);

/** One step of the index of open calls for each. */
const OPEN = `with ${SCOPE_OF_ALL}
  select c.account_id as "accountId", c.id from scope cross join unnest($3::uuid[]) as watched(id) cross join lateral (
    select account_id, id from calls
    where scope.name is not null and id = watched.id and kind = $1 and provider = $2 and done_at is null offset 0
  ) c`;
