import type { AccountContext } from "@/lib/accounts/context";
import { readBalance } from "@/lib/accounts/read";
import { readStorage } from "@/lib/accounts/storage";
import { TIME_ZONE } from "@/lib/calendar";
import { businessNow } from "@/lib/clock";
import type { Overview } from "@/lib/dashboard/schema";
import { forAccount, prisma } from "@/lib/db";
import { decimal } from "@/lib/money";
import { paid } from "@/lib/transactions/states";

type Day = { date: string; amount: bigint; count: bigint };

/** The content of the home page, read in one transaction. */
export async function readOverview(account: AccountContext): Promise<Overview> {
  const { id } = account;
  const now = businessNow(account);
  const [balance, storage, credentials, rest] = await Promise.all([
    readBalance(id),
    readStorage(id),
    prisma().credential.count({ where: { accountId: id, revokedAt: null } }),
    forAccount(id, async (tx) => ({
      days: await tx.$queryRaw<Day[]>`
        select to_char(d, 'YYYY-MM-DD') as date, coalesce(sum(t.amount), 0)::bigint as amount, count(t.id) as count
        from generate_series(
          date_trunc('day', ${now}::timestamptz at time zone ${TIME_ZONE}) - interval '59 days',
          date_trunc('day', ${now}::timestamptz at time zone ${TIME_ZONE}), interval '1 day') d
        left join transactions t on t.account_id = ${id}::uuid
          and t.paid_at >= d at time zone ${TIME_ZONE}
          and t.paid_at < (d + interval '1 day') at time zone ${TIME_ZONE}
          and t.status = any(${[...paid]}::"TransactionStatus"[])
        group by d order by d`,
      webhooks: await tx.webhook.count({ where: { accountId: id, deletedAt: null } }),
      failing: await tx.webhook.count({ where: { accountId: id, deletedAt: null, failuresInRow: { gt: 0 } } }),
      paid: await tx.transaction.findFirst({ where: { accountId: id, paidAt: { not: null } }, select: { id: true } }),
    })),
  ]);
  const days = rest.days.map(({ date, amount, count }) => ({ date, amount: decimal(amount), count: Number(count) }));
  const today = days.at(-1);
  return {
    today: { count: today?.count ?? 0, amount: today?.amount ?? "0.00" },
    balance,
    days,
    failing_webhooks: rest.failing,
    storage: {
      percent: Math.min(100, Math.floor((100 * storage.used) / storage.limit)),
      limit_mb: storage.limit / 1_048_576,
      is_full: storage.isFull,
    },
    checklist: { credential: credentials > 0, webhook: rest.webhooks > 0, paid: rest.paid !== null },
  };
}
