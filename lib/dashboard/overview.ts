import type { AccountContext } from "@/lib/accounts/context";
import { readBalanceIn } from "@/lib/accounts/read";
import type { Balance } from "@/lib/accounts/schema";
import { readStorage } from "@/lib/accounts/storage";
import type { Overview } from "@/lib/dashboard/schema";
import { queryOf, readFor, type Tx } from "@/lib/db";
import { type OpenDisputes, readOpenDisputes } from "@/lib/disputes/open-disputes";
import { readThisMonth } from "@/lib/earnings/read";
import { methodNames } from "@/lib/methods/methods";
import { centsOf, decimal } from "@/lib/money";
import { onboardingOf } from "@/lib/onboarding/read";
import { checkoutUrl } from "@/lib/plans/present";
import { isOnSale } from "@/lib/plans/snapshot";
import { type OpenRefunds, readOpenRefunds } from "@/lib/refunds/open";
import { countByDay, countByStatus } from "@/lib/rollups/read";
import { hasPix } from "@/lib/sellers/has-pix";
import { listReceived } from "@/lib/subscription-splits/read";
import { SplitQuery } from "@/lib/subscription-splits/schema";
import { countOwing } from "@/lib/subscriptions/read";
import { lastDays } from "@/lib/time/calendar";
import { businessNow } from "@/lib/time/clock";
import { countWaiting } from "@/lib/withdrawals/read";
import { Prisma } from "@/prisma/client/client";

/** The days before today and today that Home shows. */
const DAYS = 60;

/** The content of the home page. */
export async function readOverview(account: AccountContext): Promise<Overview> {
  const { id } = account;
  const dates = lastDays(businessNow(account), DAYS);
  const which = { accountId: id, basis: "paid", methods: methodNames } as const;
  const [recipient, { balance, refunds, disputes, withdrawals, storage, owing, setUp, onboarding, counted, paid }] =
    await Promise.all([
      readRecipient(account),
      readFor(id, async (tx) => ({
        balance: await readBalanceIn(tx, id),
        refunds: await readOpenRefunds(tx, id),
        disputes: await readOpenDisputes(tx, id),
        withdrawals: await countWaiting(queryOf(tx), id),
        storage: await readStorage(tx, id),
        owing: await countOwing(tx, id),
        setUp: await readSetUp(tx, id),
        onboarding: account.mode === "live" && account.status === "pending" ? await onboardingOf(tx, id) : null,
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
    failing_webhook: setUp.failing === 1 ? setUp.failing_webhook : null,
    waiting_withdrawals: withdrawals,
    refunds: presentRefunds(refunds, disputes, balance),
    disputes: { open: disputes.open, undefended: disputes.undefended, held: decimal(disputes.held) },
    overdue_subscriptions: owing.overdue,
    suspended_subscriptions: owing.suspended,
    recipient,
    onboarding,
    has_pix: hasPix(account),
    storage: {
      percent: Math.min(100, Math.floor((100 * storage.used) / storage.limit)),
      limit_mb: storage.limit / 1_048_576,
      is_full: storage.isFull,
    },
    checklist: presentSteps(setUp, paid.length > 0),
  };
}

/** Refunds and disputes block, so what the account's own do not hold is its parts of others' sales. */
function presentRefunds(
  { open, pending, held }: OpenRefunds,
  disputes: OpenDisputes,
  { blocked }: Balance,
): Overview["refunds"] {
  if (held === null) return { open, pending, held, shares: null };
  return { open, pending, held: decimal(held), shares: decimal((centsOf(blocked) ?? 0) - held - disputes.held) };
}

/** What an account without sales has of others'; null for one that sells, or that nobody shares with. */
async function readRecipient(account: AccountContext): Promise<Overview["recipient"]> {
  const sold = await readFor(account.id, (tx) =>
    countByStatus(tx, { accountId: account.id, basis: "created", methods: methodNames }),
  );
  if (sold.length > 0) return null;
  const countOf = async (status: "pending" | "accepted") =>
    (await listReceived(account, SplitQuery.parse({ status, per_page: 1 }))).meta.total;
  const [waiting, accepted] = [await countOf("pending"), await countOf("accepted")];
  if (waiting + accepted === 0) return null;
  return { waiting, accepted, month: await readThisMonth(account) };
}

type SetUp = {
  credential: boolean;
  webhook: boolean;
  failing: number;
  failing_webhook: number | null;
  product: string | null;
  plan: string | null;
  plan_name: string | null;
  link: boolean;
};

const presentSteps = ({ credential, webhook, product, plan, plan_name, link }: SetUp, paid: boolean) => ({
  ...{ credential, webhook, paid, product, link },
  plan: plan && plan_name !== null ? { name: plan_name, checkout_url: checkoutUrl(plan) } : null,
});

/** What an account in scope has set up, how many of its webhooks fail, and one of those. */
async function readSetUp(tx: Tx, accountId: string): Promise<SetUp> {
  const [row] = await tx.$queryRaw<SetUp[]>`
    select exists (select from credentials where account_id = ${accountId}::uuid and revoked_at is null) as credential,
      hooks.*, products.*, plans.*,
      exists (select from payment_links where account_id = ${accountId}::uuid and status = 'active') as link
    from (
      select count(*) > 0 as webhook, (count(*) filter (where failures_in_row > 0))::int as failing,
        min(id) filter (where failures_in_row > 0) as failing_webhook
      from webhooks where account_id = ${accountId}::uuid and deleted_at is null
    ) hooks
    left join (
      select id as product from products where account_id = ${accountId}::uuid and status <> 'archived'
      order by id desc limit 1
    ) products on true
    left join (
      select p.id as plan, p.name as plan_name from plans p
      left join products o on o.account_id = p.account_id and o.id = p.product_id
      where p.account_id = ${accountId}::uuid and ${Prisma.raw(isOnSale("p.status", "o.status"))}
      order by p.is_default desc, p.id desc limit 1
    ) plans on true`;
  if (!row) throw new Error("A count has one row");
  return row;
}
