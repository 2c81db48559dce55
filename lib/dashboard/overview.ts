import type { AccountContext } from "@/lib/accounts/context";
import { readBalance } from "@/lib/accounts/read";
import { readStorage } from "@/lib/accounts/storage";
import { lastDays } from "@/lib/calendar";
import { businessNow } from "@/lib/clock";
import type { Overview } from "@/lib/dashboard/schema";
import { readFor, type Tx } from "@/lib/db";
import { decimal } from "@/lib/money";
import { countByDay, countByStatus } from "@/lib/rollups/read";
import { TransactionMethod } from "@/prisma/client/enums";

/** The days before today and today that Home shows. */
const DAYS = 60;

/** The content of the home page. */
export async function readOverview(account: AccountContext): Promise<Overview> {
  const { id } = account;
  const dates = lastDays(businessNow(account), DAYS);
  const which = { accountId: id, basis: "paid", methods: Object.values(TransactionMethod) } as const;
  const [balance, { storage, setUp, counted, paid }] = await Promise.all([
    readBalance(id),
    readFor(id, async (tx) => ({
      storage: await readStorage(tx, id),
      setUp: await readSetUp(tx, id),
      counted: await countByDay(tx, { ...which, from: dates[0], to: dates.at(-1) }),
      paid: await countByStatus(tx, which),
    })),
  ]);
  const countOf = new Map(counted.map((day) => [day.day, day]));
  const days = dates.map((date) => {
    const { gross = 0n, number = 0 } = countOf.get(date) ?? {};
    return { date, amount: decimal(gross), count: number };
  });
  const today = days.at(-1);
  return {
    today: { count: today?.count ?? 0, amount: today?.amount ?? "0.00" },
    balance,
    days,
    failing_webhooks: setUp.failing,
    storage: {
      percent: Math.min(100, Math.floor((100 * storage.used) / storage.limit)),
      limit_mb: storage.limit / 1_048_576,
      is_full: storage.isFull,
    },
    checklist: { credential: setUp.credential, webhook: setUp.webhook, paid: paid.length > 0 },
  };
}

type SetUp = { credential: boolean; webhook: boolean; failing: number };

/** What an account in scope has set up, and how many of its webhooks fail. */
async function readSetUp(tx: Tx, accountId: string): Promise<SetUp> {
  const [row] = await tx.$queryRaw<SetUp[]>`
    select exists (select from credentials where account_id = ${accountId}::uuid and revoked_at is null) as credential,
      count(*) > 0 as webhook, (count(*) filter (where failures_in_row > 0))::int as failing
    from webhooks where account_id = ${accountId}::uuid and deleted_at is null`;
  if (!row) throw new Error("A count has one row");
  return row;
}
