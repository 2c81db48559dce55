import type { AccountContext } from "@/lib/accounts/context";
import { LAPSES_AFTER_MS } from "@/lib/approvals/ask";
import { addDays, dayOf, startOf } from "@/lib/billing/calendar";
import { type Query, queryOf, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { firstIdAt } from "@/lib/ids";
import { inSql } from "@/lib/states";
import { DAY_MS } from "@/lib/time/calendar";
import type { Limits } from "@/lib/withdrawals/record";
import { releasedWithdrawals } from "@/lib/withdrawals/states";

/** The local hours between which it is night, as the Central Bank counts it for Pix (Resolução BCB 142/2021). */
const NIGHT_FROM = 20;
const NIGHT_UNTIL = 6;

type Zoned = Pick<AccountContext, "id" | "timeZone">;

/** When the local night began in which an instant lies; undefined by day. */
export function nightSince(at: Date, zone: string): Date | undefined {
  const day = dayOf(at, zone);
  const evening = startOf(day, zone, NIGHT_FROM);
  if (at >= evening) return evening;
  return at < startOf(day, zone, NIGHT_UNTIL) ? startOf(addDays(day, -1), zone, NIGHT_FROM) : undefined;
}

/** What a withdrawal costs and what limits it, in cents, as they are now. */
export async function readConditions(tx: Tx, accountId: string): Promise<{ fee: number; limits: Limits }> {
  const account = await tx.account.findUniqueOrThrow({
    where: { id: accountId },
    select: {
      ...{ withdrawalFee: true, withdrawalLimit: true, withdrawalDayLimit: true, withdrawalNightLimit: true },
      ...{ newKeyLimit: true, approvalAbove: true },
    },
  });
  return {
    fee: Number(account.withdrawalFee),
    limits: {
      ...{ each: Number(account.withdrawalLimit), day: Number(account.withdrawalDayLimit) },
      ...{ night: Number(account.withdrawalNightLimit), new_key: Number(account.newKeyLimit) },
      approval_above: account.approvalAbove === null ? null : Number(account.approvalAbove),
    },
  };
}

/** What went out or is on its way, in cents: since the local midnight, since nightfall (0 by day), and lowered in 24 h. */
export type Used = { day: number; night: number; lowered: number };

/**
 * Fees do not count, and neither does what was released. What a second person approved counts from then on, and not from when it
 * was asked for. `except` is the id of one that is not counted.
 */
export async function readUsed(query: Query, { id, timeZone }: Zoned, now: Date, except?: string): Promise<Used> {
  const midnight = startOf(dayOf(now, timeZone), timeZone);
  const before = new Date(now.getTime() - DAY_MS);
  const night = nightSince(now, timeZone) ?? null;
  const first = firstIdAt(new Date(before.getTime() - LAPSES_AFTER_MS));
  const values = [id, first, midnight, night, before, except ?? null];
  const [used] = await query<Used>("withdrawals_used", USED, values);
  return used ?? { day: 0, night: 0, lowered: 0 };
}

/** An id has the business time at which its withdrawal was asked for. */
const USED = `select coalesce(sum(amount) filter (where at >= $3::timestamptz), 0)::float8 as day,
    coalesce(sum(amount) filter (where at >= $4::timestamptz), 0)::float8 as night,
    coalesce(sum(amount) filter (where at >= $5::timestamptz and is_lowered), 0)::float8 as lowered
  from (
    select amount, is_lowered, coalesce(approved_at, created_at) as at from withdrawals
    where account_id = $1::uuid and id >= $2::uuid and id is distinct from $6::uuid
      and status not in ${inSql(releasedWithdrawals)}
  ) counted`;

type Asked = { account: Zoned; now: Date; amount: number; limits: Limits; isLowered: boolean; except?: string };

/**
 * Throws `withdrawal_limit_exceeded`, which names the limit, where this amount is more than the account may take out now. It must have
 * the account's money locked, so that of two at once the second counts the first.
 */
export async function assertWithinLimits(
  tx: Tx,
  { account, now, amount, limits, isLowered, except }: Asked,
): Promise<void> {
  assertEach(amount, limits);
  const used = await readUsed(queryOf(tx), account, now, except);
  if (used.day + amount > limits.day) throw exceeded("day");
  if (nightSince(now, account.timeZone) && used.night + amount > limits.night) throw exceeded("night");
  if (isLowered && used.lowered + amount > limits.new_key) throw exceeded("new_key");
}

/** Throws `withdrawal_limit_exceeded` for an amount, in cents, that no withdrawal may have. */
export function assertEach(amount: number, limits: Limits): void {
  if (amount > limits.each) throw exceeded("each");
}

const exceeded = (limit: keyof Limits) => new AppError("withdrawal_limit_exceeded", { details: { limit } });
