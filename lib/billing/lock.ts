import { type ContextRow, contextColumns, toContext } from "@/lib/accounts/context";
import type { LoadedSubscription } from "@/lib/billing/subscription";
import { cycles, mandates, subscriptions } from "@/lib/billing/tables";
import type { KeptCard } from "@/lib/charges/stored-card";
import type { Row } from "@/lib/database/json-rows";
import { expectFew, type Query } from "@/lib/db";
import { isOnSale, type SoldPlan, soldPlan } from "@/lib/plans/snapshot";
import type { Terms } from "@/lib/plans/terms";
import type { BillingMethod } from "@/prisma/client/enums";

export type Key = { accountId: string; id: string };

/** Locks subscriptions, in the order of their keys. One that is not in scope is not returned. */
export const lockSubscriptions = (query: Query, keys: readonly Key[]): Promise<LoadedSubscription[]> =>
  lockSelected(query, "subscriptions_lock", GIVEN, [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]);

/** Locks one subscription. Throws where there is none. */
export async function lockSubscription(query: Query, key: Key): Promise<LoadedSubscription> {
  const [locked] = await lockSubscriptions(query, [key]);
  if (!locked) throw new Error(`No subscription ${key.id}`);
  return locked;
}

/** Locks the subscription that a sale is of. */
export const lockSubscriptionOf = (query: Query, sale: { accountId: string; subscriptionId: string | null }) =>
  lockSubscription(query, { accountId: sale.accountId, id: sale.subscriptionId ?? "" });

const GIVEN = `select s.* from (
    select distinct account_id, id from unnest($1::uuid[], $2::uuid[]) as k(account_id, id)
    where ${expectFew("k.id", "uuid")} order by 1, 2
  ) k
  cross join lateral (
    select * from subscriptions where account_id = k.account_id and id = k.id offset 0 for update
  ) s`;

type LoadedRow = ContextRow & {
  subscription: Row;
  cycle: Row | null;
  mandate: Row | null;
  card: CardRow | null;
  terms: TermsRow;
  new_terms: TermsRow | null;
  plan: SoldPlan;
  new_plan: SoldPlan | null;
  now: Date;
};

type CardRow = { id: string; brand: string; last4: string; consented_at: string; expires_on: string | null };

const cardOf = ({ id, brand, last4, consented_at: keptAt, expires_on: expiresOn }: CardRow): KeptCard => ({
  ...{ id, brand, last4, keptAt: new Date(keptAt), expiresOn },
});

/**
 * Locks the subscriptions that a query selects, and reads them; `which` must lock its rows. They are read by a statement
 * of their own: one that waits for a lock sees the row as it is then, and all else as it was before the wait.
 */
export async function lockSelected(
  query: Query,
  name: string,
  which: string,
  values: unknown[],
): Promise<LoadedSubscription[]> {
  const keys = await query<Key>(name, `select account_id as "accountId", id from (${which}) s`, values);
  return keys.length > 0 ? loadLocked(query, keys) : [];
}

/** Reads subscriptions that this transaction has locked, in the order of the keys. */
export const loadLocked = (query: Query, keys: readonly Key[]): Promise<LoadedSubscription[]> =>
  loadSelected(query, "subscriptions_locked", LOCKED, [
    keys.map(({ accountId }) => accountId),
    keys.map(({ id }) => id),
  ]);

const LOCKED = `select s.* from unnest($1::uuid[], $2::uuid[]) with ordinality as k(account_id, id, place)
  cross join lateral (select * from subscriptions where account_id = k.account_id and id = k.id offset 0) s
  where ${expectFew("k.id", "uuid")} order by k.place`;

/** Reads the subscriptions that a query selects, which are not locked by it. */
export async function loadSelected(
  query: Query,
  name: string,
  which: string,
  values: unknown[],
): Promise<LoadedSubscription[]> {
  const rows = await query<LoadedRow>(name, loadedOf(which), values);
  return rows.map((row) => ({
    subscription: subscriptions.of(row.subscription),
    cycle: row.cycle && cycles.of(row.cycle),
    mandate: row.mandate && mandates.of(row.mandate),
    card: row.card && cardOf(row.card),
    offer: { plan: row.plan, terms: termsOf(row.terms) },
    newOffer: row.new_plan && row.new_terms && { plan: row.new_plan, terms: termsOf(row.new_terms) },
    account: toContext(row),
    now: row.now,
  }));
}

/** Each table is read by its key for each subscription, whatever the planner expects. */
const loadedOf = (which: string) => `with loaded as materialized (${which})
  select to_jsonb(s) as subscription, to_jsonb(c) as cycle, to_jsonb(m) as mandate, to_jsonb(k) as card, to_jsonb(v) as terms, to_jsonb(nv) as new_terms,
    to_jsonb(p) as plan, to_jsonb(np) as new_plan, ${contextColumns},
    date_trunc('milliseconds', statement_timestamp()) + a.clock_offset_ms * interval '1 millisecond' as now
  from loaded s
  cross join lateral (select * from accounts where id = s.account_id offset 0) a
  cross join lateral (${versionOf("s.plan_id", "s.plan_version")}) v
  cross join lateral (${soldPlan("s.account_id", "s.plan_id")}) p
  left join lateral (select * from cycles where account_id = s.account_id and id = s.cycle_id offset 0) c on true
  left join lateral (select * from mandates where account_id = s.account_id and id = s.mandate_id offset 0) m on true
  left join lateral (
    select id, brand, last4, consented_at, expires_on from stored_cards
    where account_id = s.account_id and id = s.stored_card_id offset 0
  ) k on true
  left join lateral (${versionOf("s.new_plan_id", "s.new_plan_version")}) nv on true
  left join lateral (${soldPlan("s.account_id", "s.new_plan_id")}) np on true`;

function versionOf(plan: string, version: string) {
  return `select * from plan_versions where account_id = s.account_id and plan_id = ${plan} and version = ${version} offset 0`;
}

/** A plan as it is sold now, with its newest terms; nothing where the account has none of this id. */
export async function findOffer(query: Query, accountId: string, planId: string) {
  const [found] = await query<{ plan: SoldPlan; terms: TermsRow; version: number; is_on_sale: boolean }>("", OFFER, [
    ...[accountId, planId],
  ]);
  if (!found) return undefined;
  const { plan, terms, version: planVersion, is_on_sale: isOnSale } = found;
  return { plan, terms: termsOf(terms), planVersion, isOnSale };
}

const OFFER = `select to_jsonb(p) as plan, to_jsonb(v) as terms, v.version,
    ${isOnSale("p.status", "p.product_status")} as is_on_sale
  from (${soldPlan("$1::uuid", "$2::uuid")}) p
  join plans now on now.account_id = $1::uuid and now.id = $2::uuid
  join plan_versions v on v.account_id = now.account_id and v.plan_id = now.id and v.version = now.version`;

type TermsRow = {
  amount: number;
  periodicity_days: number;
  billing_advance_days: number;
  grace_period_days: number;
  max_retry_attempts: number;
  billing_method: BillingMethod;
};

export const termsOf = (row: TermsRow): Terms => ({
  amount: BigInt(row.amount),
  periodicityDays: row.periodicity_days,
  billingAdvanceDays: row.billing_advance_days,
  gracePeriodDays: row.grace_period_days,
  maxRetryAttempts: row.max_retry_attempts,
  billingMethod: row.billing_method,
});
