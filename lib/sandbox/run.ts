import { billDue } from "@/lib/billing/bill-due";
import { settleDueCharges } from "@/lib/charges/settle";
import { newPause } from "@/lib/concurrency/pause";
import { repeat } from "@/lib/concurrency/repeat";
import { transactionOverAll } from "@/lib/db";
import { completeDuePayments } from "@/lib/deposits/complete";
import { expireDueDeposits } from "@/lib/deposits/expire";
import { pollRail } from "@/lib/deposits/poll";
import { defenceCall } from "@/lib/disputes/call";
import { remindSellers } from "@/lib/disputes/remind";
import { chargebackWatch, medWatch } from "@/lib/disputes/report";
import { claimsOf } from "@/lib/due/claims";
import { waitingFor } from "@/lib/events/outbox";
import { log } from "@/lib/log";
import { refreshOfferedMandates } from "@/lib/mandates/report";
import { subscriptionCalls } from "@/lib/mandates/subscription-calls";
import { makeDueCalls } from "@/lib/outside/run";
import { askDue } from "@/lib/outside/watch";
import { railFor } from "@/lib/rails/pix/rails";
import { refundCalls } from "@/lib/refunds/call";
import { refreshRefunds } from "@/lib/refunds/refresh";
import { isExpiring, isSettling } from "@/lib/transactions/states";
import { returnCalls } from "@/lib/unmatched/call";
import { withdrawalCall } from "@/lib/withdrawals/call";
import { payoutWatch } from "@/lib/withdrawals/payout-watch";

/** How long one turn of an advance lasts, before others have theirs. */
const TURN_MS = 2_000;
/** How long a turn waits for what was asked of the outside, and how long the clock does so at one instant in all. */
const WAIT_MS = 200;
const WAIT_IN_ALL = "20 seconds";
const LOOK_EVERY_MS = 20;
/** How long a claim lasts, which is renewed while the turn does: if this process dies, another one goes on then. */
const CLAIM_MS = 6_000;
const CLAIM = `interval '${CLAIM_MS} milliseconds'`;
const RENEW_EVERY_MS = 2_000;
/** How old a payment is at most whose callback may still be on its way. */
const RECENT_MS = 60_000;

type Claimed = { accountId: string; id: string; target: Date };

/**
 * Moves the clock of one sandbox that waits for it, for at most some seconds: to the next instant at which something is
 * due, does all that is due then, and so on until the target. Safe to run twice at once, and to be cut off anywhere: the
 * clock never goes back, and what is due is done once. Returns whether more may be waiting.
 */
export async function advanceClocks(): Promise<boolean> {
  const [claimed] = await clocks.claim();
  if (!claimed) return false;
  const { accountId, id } = claimed;
  const failed = (error: unknown) => log.warn({ accountId, id, error }, "the claim of a clock was not renewed");
  const stopRenewing = repeat(RENEW_EVERY_MS, () => one(RENEW, [accountId, id]), failed);
  return takeTurn(claimed).finally(stopRenewing);
}

async function takeTurn(claimed: Claimed): Promise<boolean> {
  const { accountId, id } = claimed;
  await drainRails(accountId);
  const turnEnds = performance.now() + TURN_MS;
  let done: Done = "all";
  while (performance.now() < turnEnds) {
    done = await doAllDue(claimed, turnEnds);
    if (done !== "all") break;
    const step = await one<{ isDone: boolean }>(STEP, [accountId, id]);
    if (step?.isDone !== false) return true;
  }
  await one(RELEASE, [accountId, id, done === "all but answers"]);
  return true;
}

/** Takes in what rails did before the clock moves, whose callbacks may still be on their way, and what follows from it. */
async function drainRails(accountId: string): Promise<void> {
  const rail = railFor("sandbox");
  if (rail) await pollRail(rail, RECENT_MS, 0);
  while (await completeDuePayments());
  await refreshOfferedMandates(accountId);
  await refreshRefunds(accountId);
  while (await askDue([medWatch, chargebackWatch, payoutWatch]));
  const pause = newPause();
  for (const until = performance.now() + TURN_MS; performance.now() < until; await pause.for(LOOK_EVERY_MS)) {
    if (!(await one(ENDING, [accountId]))) return;
  }
}

/** Whether a refund's event waits that may end a subscription (`lib/subscriptions/end-refunded.ts`). */
const ENDING = `select from ${waitingFor("refunds", "account_id = $1::uuid")} waiting
  join events e on e.account_id = waiting.account_id and e.id = waiting.event_id
  where e.subject = 'refund' limit 1`;

/** How much of what is due at an instant was done in a turn. Answers of the outside are waited for in other turns. */
type Done = "all" | "all but answers" | "some";

/** Does what is due on the account's clock, until nothing is left that the clock would have to wait for. */
async function doAllDue({ accountId, id }: Claimed, turnEnds: number): Promise<Done> {
  const pause = newPause();
  for (const until = performance.now() + WAIT_MS; ; await pause.for(LOOK_EVERY_MS)) {
    for (const work of works) {
      while (await work(accountId)) if (performance.now() > turnEnds) return "some";
    }
    const row = await one<{ isQuiet: boolean }>(QUIET, [accountId, id]);
    if (row?.isQuiet) return "all";
    if (performance.now() > until) return "all but answers";
  }
}

const makeCalls = (accountId: string) =>
  makeDueCalls([...subscriptionCalls, ...refundCalls, ...returnCalls, defenceCall, withdrawalCall], accountId);

const works = [expireDueDeposits, billDue(), makeCalls, settleDueCharges, remindSellers];

/** The first row of a statement, in a transaction over all accounts; its plan is made for the tables as they are. */
const one = async <Row>(text: string, values: unknown[]): Promise<Row | undefined> =>
  (await transactionOverAll((query) => query<Row>("", text, values)))[0];

const clocks = claimsOf<Claimed>({
  name: "clocks",
  rows: {
    table: "clock_advances",
    key: { account_id: "uuid", id: "uuid" },
    at: "claimed_until",
    only: "t.done_at is null",
  },
  ...{ leaseMs: CLAIM_MS, limit: 1, columns: ", t.target" },
});

/** A turn that was released or is done meanwhile stays so. */
const RENEW = `update clock_advances set claimed_until = now() + ${CLAIM}
  where account_id = $1::uuid and id = $2::uuid and done_at is null and claimed_until > now() returning id`;

const RELEASE = `update clock_advances
  set claimed_until = now(), waiting_since = case when $3 then coalesce(waiting_since, now()) end
  where account_id = $1::uuid and id = $2::uuid returning id`;

/** What an event that is still in the outbox stands for, in bytes: it is counted once it is taken from there. */
const WAITING_BYTES = 3_000;

/**
 * Ends the advance where the clock has come to its target or the account is full, and else moves it to the next due instant
 * before that.
 */
const STEP = `with advance as materialized (
    select a.*, clock_timestamp() + s.clock_offset_ms * interval '1 millisecond' as present,
      s.storage_full_at is not null or storage_used(s.id) + ${WAITING_BYTES} * (
        select count(*) from ${waitingFor("storage", "account_id = $1::uuid")} waiting
      ) >= s.storage_limit_mb * 1048576::bigint as full_now
    from clock_advances a join accounts s on s.id = a.account_id
    where a.account_id = $1::uuid and a.id = $2::uuid and a.done_at is null for update of a
  ), next as materialized (
    select present >= target or full_now as is_done, full_now and present < target as is_full, least(target, (select min(at) from (
      select min(act_at) as at from subscriptions where account_id = $1::uuid and act_at > present
      union all
      select min(expires_at) from transactions
        where account_id = $1::uuid and ${isExpiring()} and expires_at > present
      union all
      select min(remind_at) from disputes where account_id = $1::uuid and remind_at is not null and remind_at > present
      union all
      select min(settle_at) from transactions
        where account_id = $1::uuid and ${isSettling()}
          and settle_at > present
    ) due)) as at
    from advance
  ), moved as (
    update accounts set clock_offset_ms = greatest(clock_offset_ms,
      ceil(extract(epoch from (next.at - clock_timestamp())) * 1000)::bigint)
    from next where accounts.id = $1::uuid and not next.is_done
  )
  update clock_advances c set claimed_until = now() + ${CLAIM}, waiting_since = null,
    processed = c.processed + (case when next.at < c.target then 1 else 0 end),
    done_at = case when next.is_done then now() end, is_full = next.is_full
  from next where c.account_id = $1::uuid and c.id = $2::uuid and c.done_at is null
  returning c.done_at is not null as "isDone"`;

/** Whether nothing is due, waits to be sent, or waits for an answer, or it was waited for long enough. */
const QUIET = `with present as materialized (
    select now() + clock_offset_ms * interval '1 millisecond' as at from accounts where id = $1::uuid
  )
  select exists (
      select from clock_advances
      where account_id = $1::uuid and id = $2::uuid and waiting_since < now() - interval '${WAIT_IN_ALL}'
    )
    or not exists (select from subscriptions where account_id = $1::uuid and act_at <= present.at)
    and not exists (select from calls where account_id = $1::uuid and done_at is null and accepted_at is null
      and (sent_at > now() - interval '1 minute' or sent_at is null) and attempts < 3) as "isQuiet"
  from present`;
