import type { AccountContext } from "@/lib/accounts/context";
import { lockAccount } from "@/lib/accounts/lock";
import { recordChange } from "@/lib/audit/record-change";
import { newPause } from "@/lib/concurrency/pause";
import { forAccount, readFor } from "@/lib/db";
import { wakeOnCommit } from "@/lib/due/wake";
import { AppError, type Faults, invalid } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { type AdvanceBody, type Advanced, type Clock, MAX_DAYS_AHEAD } from "@/lib/sandbox/schema";
import { DAY_MS } from "@/lib/time/calendar";
import { businessNow, iso, realNow } from "@/lib/time/clock";
import type { ClockAdvance } from "@/prisma/client/client";

/** How long a caller waits for the end, and how often it looks. */
const WAIT_MS = 5_000;
const LOOK_EVERY_MS = 100;

/**
 * Moves a sandbox's clock ahead, by days or to an instant. A worker does it (`lib/sandbox/run.ts`), from due instant to due
 * instant; the caller waits for its end for 5 s, and the rest goes on without it. It ends early once the account is full.
 * Throws 422 for an instant that is past or too far ahead, and `clock_advance_running` while another one runs.
 */
export async function advanceClock(account: AccountContext, input: AdvanceBody): Promise<Advanced> {
  const { id: accountId } = account;
  const target = targetOf(account, input);
  const id = newId();
  await forAccount(accountId, async (tx) => {
    wakeOnCommit(tx, "clocks");
    await lockAccount(tx, accountId); // a reset that came first has closed it
    if (await tx.account.count({ where: { id: accountId, status: "closed" } })) throw new AppError("account_closed");
    const { count } = await tx.clockAdvance.createMany({ data: { accountId, id, target }, skipDuplicates: true });
    if (count === 0) throw new AppError("clock_advance_running");
    const [before, after] = [businessNow(account), target].map((at) => ({ now: iso(at) }));
    await recordChange(tx, {
      ...{ accountId, subject: "sandbox_clock", id, verb: "created", at: businessNow(account) },
      ...(before && { before }),
      ...(after && { after }),
    });
  });
  const pause = newPause();
  for (const until = performance.now() + WAIT_MS; performance.now() < until; ) {
    const advanced = await readAdvance(account, id);
    if (advanced.done) return advanced;
    await pause.for(LOOK_EVERY_MS);
  }
  return readAdvance(account, id);
}

function targetOf(account: AccountContext, { days, to }: AdvanceBody): Date {
  const now = businessNow(account);
  const target = to === undefined ? new Date(now.getTime() + (days ?? 0) * DAY_MS) : new Date(to);
  const faults: Faults = {};
  const name = to === undefined ? "days" : "to";
  if (target <= now) faults[name] = ["O relógio nunca volta. Escolha um momento à frente."];
  if (target.getTime() > realNow().getTime() + MAX_DAYS_AHEAD * DAY_MS) {
    faults[name] = [`O relógio pode ficar no máximo ${MAX_DAYS_AHEAD} dias à frente.`];
  }
  if (Object.keys(faults).length > 0) throw invalid(faults);
  return target;
}

/** How far an advance is. Throws `clock_advance_not_found`. */
export const readAdvance = ({ id: accountId }: AccountContext, id: string): Promise<Advanced> =>
  readFor(accountId, async (tx) => {
    const row = await tx.clockAdvance.findUnique({ where: { accountId_id: { accountId, id } } });
    if (!row) throw new AppError("clock_advance_not_found");
    const account = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { clockOffsetMs: true } });
    return present(row, businessNow(account));
  });

/** The present on the account's clock. */
export const readClock = ({ id: accountId }: AccountContext): Promise<Clock> =>
  readFor(accountId, async (tx) => {
    const account = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { clockOffsetMs: true } });
    const running = await tx.clockAdvance.findFirst({ where: { accountId, doneAt: null } });
    const now = businessNow(account);
    return {
      now: iso(now),
      days_ahead: Math.round((Number(account.clockOffsetMs) / DAY_MS) * 100) / 100,
      advance: running && present(running, now),
    };
  });

const present = (row: ClockAdvance, now: Date): Advanced => ({
  ...{ progress_id: row.id, now: iso(now), target: iso(row.target) },
  ...{ processed: row.processed, done: row.doneAt !== null },
  stopped_by: row.isFull ? ("storage_limit_reached" as const) : null,
});
