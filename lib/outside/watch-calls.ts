import { runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import { type CallKey, type CallKind, readCall, resolveCall } from "@/lib/outside/calls";
import { type WatchKind, writeEach } from "@/lib/outside/watch";

/**
 * The watch over calls of a kind, by our id of each, which its provider names in callbacks: what the call would be asked
 * (`find`) is asked now, and its outcome is written once, whichever of the two hears of it first. `others` are kinds that the
 * provider reports in the same way, because to it they are the same.
 */
export const watchCalls = (kind: Findable, ...others: readonly Findable[]): WatchKind<Open | null> => ({
  name: kind.name,

  /** The open calls; null for an id of none, of which nothing more is expected. */
  async read(provider, watched) {
    const ids = watched.map(({ id }) => id);
    const names = [kind, ...others].map(({ name }) => name);
    const open = await runPrepared<Open>("calls_watched", OPEN, [names, provider, ids.filter(mayBeOurs)]);
    const byId = new Map(open.map((call) => [call.id, call]));
    return new Map(ids.map((id) => [id, byId.get(id.toLowerCase()) ?? null]));
  },

  write: writeEach(async (_provider, call) => {
    if (!call) return "over";
    await resolveCall(others.find(({ name }) => name === call.kind) ?? kind, call);
    return (await readCall(call)).isDone ? "over" : "open";
  }),
});

type Open = CallKey & { kind: string };

type Findable = CallKind<unknown> & Required<Pick<CallKind<unknown>, "find">>;

const mayBeOurs = (id: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);

/** One step of the index of open calls for each. */
const OPEN = `with ${SCOPE_OF_ALL}
  select c.account_id as "accountId", c.id, c.kind from scope cross join unnest($3::uuid[]) as watched(id) cross join lateral (
    select account_id, id, kind from calls
    where scope.name is not null and id = watched.id and kind = any($1::text[]) and provider = $2 and done_at is null offset 0
  ) c`;
