import { inParallel } from "@/lib/concurrency/parallel";
import { IN_SCOPE, isPicked, runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import { startAttempts } from "@/lib/due/attempts";
import { log } from "@/lib/log";
import { type CallKey, type Kind, PAUSE, resolveCall, sendCall } from "@/lib/outside/calls";

/** How many calls of one kind and provider one process makes at once. */
export const AT_ONCE = 20;
/** The pause after a look that found nothing. */
export const IDLE_MS = 2_000;
const GATHER_MS = 20;
const HELD_BACK_MS = 60_000;

type Claimed = CallKey & { kind: string; provider: string; isSent: boolean; isAccepted: boolean };

/**
 * Makes calls that are due until the returned function is called (`startAttempts`): it sends those that are written, and
 * asks about those whose outcome is unknown, again and again until it is known. The rows of `calls` are the queue. A
 * provider that is slow or silent holds back only its own calls.
 */
export const startCalls =
  (kinds: readonly Kind<unknown>[]) =>
  (failed: (error: unknown) => void): (() => Promise<void>) =>
    startAttempts<Claimed>(
      {
        on: "calls",
        gatherMs: GATHER_MS,
        heldBackMs: HELD_BACK_MS,
        async claim(_worker, underWay) {
          const claimed = await claimCalls(kinds, [...underWay.values()]);
          return { claimed, pauseMs: IDLE_MS };
        },
        attempt: (_worker, call) => attempt(kinds, call),
        // A claim is short, and whoever claims a call of another process only asks about it, or repeats what may be repeated.
        renew: async () => {},
        release: async () => {},
      },
      failed,
    );

/**
 * Makes one batch of the calls of these kinds that are due, and waits for it. Returns whether more may be due. With
 * `only`, it sends what is written of one account, or may be sent again, and asks about nothing else.
 */
export async function makeDueCalls(kinds: readonly Kind<unknown>[], only?: string): Promise<boolean> {
  const claimed = await claimCalls(kinds, [], only);
  await inParallel(claimed, claimed.length, (call) => attempt(kinds, call));
  const counts = new Map<string, number>();
  for (const { kind, provider } of claimed) {
    const name = JSON.stringify([kind, provider]);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts.values()].some((count) => count === AT_ONCE);
}

/** Sends a call, or asks about it. One that fails is due again later, and stops no other. */
async function attempt(kinds: readonly Kind<unknown>[], call: Claimed): Promise<void> {
  const kind = kinds.find(({ name }) => name === call.kind);
  if (!kind) return;
  const { isSent, isAccepted, accountId, id } = call;
  const isToBeSent = !isSent || (kind.isRepeatable && !isAccepted);
  await (isToBeSent ? sendCall(kind, call) : resolveCall(kind, call)).catch(async (error) => {
    log.warn({ accountId, id, kind: kind.name, error }, "a call could not be made, or its outcome is not known yet");
    await runPrepared("call_later", LATER, [accountId, id]);
  });
}

const LATER = `with ${SCOPE_OF_ALL}
  update calls set due_at = now() + ${PAUSE} from scope
  where ${IN_SCOPE} and account_id = $1::uuid and id = $2::uuid and done_at is null`;

/** Claims calls that are due, of each kind and provider as many as may be made beside those that are under way. */
function claimCalls(kinds: readonly Kind<unknown>[], underWay: readonly Claimed[], only?: string): Promise<Claimed[]> {
  const names = kinds.map(({ name }) => name);
  const repeatable = kinds.filter(({ isRepeatable }) => isRepeatable).map(({ name }) => name);
  return runPrepared<Claimed>("calls_claim", CLAIM, [names, JSON.stringify(underWay), only ?? null, repeatable]);
}

/**
 * The providers of open calls are found with one step of the index for each. If this process dies, another one asks in
 * 8 s, because no question lasts longer.
 */
const CLAIM = `with recursive ${SCOPE_OF_ALL}, provider (name) as (
    (select provider from calls where ${IN_SCOPE} and done_at is null order by provider limit 1)
    union all
    select n.provider from provider p cross join lateral (
      select provider from calls where ${IN_SCOPE} and done_at is null and provider > p.name order by provider limit 1
    ) n
  ), busy as materialized (
    select * from json_to_recordset($2::json) as b("accountId" uuid, id uuid, kind text, provider text)
  ), due as (
    select d.* from provider p cross join unnest($1::text[]) as k(kind) cross join lateral (
      select account_id, id from calls c
      where ${IN_SCOPE} and provider = p.name and kind = k.kind and done_at is null and due_at <= now()
        and ($3::uuid is null or account_id = $3::uuid and (sent_at is null or kind = any($4::text[])))
        and not exists (select from busy b where b."accountId" = c.account_id and b.id = c.id)
      order by due_at
      limit ${AT_ONCE} - least(${AT_ONCE}, (select count(*) from busy b where b.kind = k.kind and b.provider = p.name))
      for update skip locked
    ) d
  )
  update calls c set attempts = c.attempts + 1, due_at = now() + interval '8 seconds'
  from due d where ${IN_SCOPE} and ${isPicked("c", "d")}
  returning c.account_id as "accountId", c.id, c.kind, c.provider, c.sent_at is not null as "isSent",
    c.accepted_at is not null as "isAccepted"`;
