import { type Balances as Cents, gatherBalances } from "@/lib/ledger/balance";
import { ownKinds } from "@/lib/ledger/chart";
import { daysOf } from "@/lib/ledger/days";
import { decimal } from "@/lib/money";
import type { Ask } from "@/lib/statement/ask";
import type { Balances } from "@/lib/statement/schema";
import { dayOf } from "@/lib/statement/spans";
import { endOfDay, startOfDay } from "@/lib/time/calendar";
import { iso } from "@/lib/time/clock";

/** The last entry that counts: of its day, those that come after it in a statement do not. */
type Line = { id: number; createdAt: Date };

/** An account's balances in cents just before an instant: of all that was committed by now, whenever that was. */
export const balancesBefore = (ask: Ask, accountId: string, at: Date): Promise<Cents> =>
  read(ask, accountId, { day: dayOf(new Date(at.getTime() - 1)), since: at, after: null });

/** An account's balances in cents just after an entry. */
export const balancesAfter = (ask: Ask, accountId: string, { id, createdAt }: Line): Promise<Cents> =>
  read(ask, accountId, { day: dayOf(createdAt), since: null, after: id });

type Moment = { day: string; since: Date | null; after: number | null };

async function read(ask: Ask, accountId: string, { day, since, after }: Moment): Promise<Cents> {
  const isWhole = after === null && since !== null && since >= endOfDay(day);
  const rows = await (isWhole
    ? ask<Sum>(TO_ITS_END, [accountId, day])
    : ask<Sum>(WITHIN, [accountId, day, iso(since ?? startOfDay(day)), after ?? 0, iso(endOfDay(day))]));
  return gatherBalances(Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount])));
}

type Sum = { kind: string; amount: number };

const TO_ITS_END = `select kind, sum(amount)::bigint as amount from (${daysOf("$1::uuid")}) days where day <= $2::date group by kind`;

/** What came later on that day is taken off what the day came to. */
const WITHIN = `with days as materialized (select * from (${daysOf("$1::uuid")}) days where day <= $2::date)
  select kind, sum(amount)::bigint as amount from (
    select kind, amount from days
    union all
    select e.kind, -e.amount from (select min(first_id) as first, max(last_id) as last from days where day = $2::date) ends
    cross join lateral (
      select kind, amount from ledger_entries
      where account_id = $1::uuid and id between greatest(ends.first, $4::bigint + 1) and ends.last and created_at >= $3::timestamptz
        and created_at < $5::timestamptz
    ) e
  ) sums group by kind`;

/** The four balances and their sum in the interface's form. */
export const presentBalances = (cents: Readonly<Cents>): Balances => ({
  ...(Object.fromEntries(ownKinds.map((kind) => [kind, decimal(cents[kind])])) as Omit<Balances, "total">),
  total: decimal(ownKinds.reduce((sum, kind) => sum + cents[kind], 0)),
});
