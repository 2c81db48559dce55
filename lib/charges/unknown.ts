import { inBatches } from "@/lib/concurrency/parallel";
import { asSystem, IN_SCOPE, runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import { isId } from "@/lib/ids";
import { log } from "@/lib/log";
import { type CallKey, type CallKind, finishCall } from "@/lib/outside/calls";
import { everyAcquirer } from "@/lib/rails/cards/acquirers";
import type { Approved, Outcome } from "@/lib/rails/cards/port";
import { DAY_MS } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";
import { CARDS } from "@/lib/unmatched/receive";

/** How far back charges are compared, and how young one is left to its own call. */
const LOOK_BACK_MS = 3 * DAY_MS;
const YOUNG_MS = 3_600_000;

/**
 * Charges that the acquirers approved between two instants of their clock, and that completed no sale and are not recorded
 * as unmatched, in batches. A charge whose sale is pending is still asked about, and `call_unanswered` reports it when that
 * lasts too long. Throws when an acquirer does not answer.
 */
export async function* unknownCharges(since: Date, until: Date): AsyncGenerator<Approved[]> {
  for (const { approvedSince } of everyAcquirer()) {
    if (!approvedSince) continue;
    for await (const batch of inBatches(approvedSince(since))) {
      yield unknownOf(batch.filter(({ at }) => at <= until));
    }
  }
}

async function unknownOf(charges: Approved[]): Promise<Approved[]> {
  const ids = charges.map(({ id }) => id);
  const isOurs = { OR: [{ paidAt: { not: null } }, { status: "pending" as const }] };
  const sales = await asSystem((tx) =>
    tx.transaction.findMany({ where: { id: { in: ids }, method: "card", ...isOurs }, select: { id: true } }),
  );
  const unmatched = await asSystem((tx) =>
    tx.unmatchedReceipt.findMany({ where: { provider: CARDS, endToEndId: { in: ids } }, select: { endToEndId: true } }),
  );
  const known = new Set([...sales.map(({ id }) => id), ...unmatched.map(({ endToEndId }) => endToEndId)]);
  return charges.filter(({ id }) => !known.has(id));
}

/**
 * Gives the calls of unknown charges the answer that the acquirer has, though another one was written before: the money
 * waits then in the operator's list. `kinds` are the calls that charge cards. Safe to run twice at once.
 */
export async function finishUnknownCharges(kinds: readonly CallKind<Outcome>[], youngMs = YOUNG_MS): Promise<void> {
  const now = realNow().getTime();
  for await (const charges of unknownCharges(new Date(now - LOOK_BACK_MS), new Date(now - youngMs))) {
    const ids = charges.map(({ id }) => id).filter(isId);
    const calls = await runPrepared<CallKey & { kind: string }>("", CALLS, [ids]);
    for (const { kind: name, ...call } of calls) {
      const kind = kinds.find((one) => one.name === name);
      const failed = (error: unknown) =>
        log.error({ ...call, error }, "a charge of the acquirer could not be recorded");
      if (kind) await finishCall(kind, call, { status: "approved" }).catch(failed);
    }
  }
}

const CALLS = `with ${SCOPE_OF_ALL}
  select t.account_id as "accountId", t.id, c.kind
  from scope cross join transactions t join calls c on c.account_id = t.account_id and c.id = t.id
  where ${IN_SCOPE} and t.id = any($1::uuid[])`;
