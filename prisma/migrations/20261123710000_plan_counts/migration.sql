-- The status lies in the index of plans, so that a plan's subscriptions are counted without their rows.
drop index "subscriptions_account_id_plan_id_id_idx";
drop index "subscriptions_active_of_plan";
create index "subscriptions_of_plan" on "subscriptions" ("account_id", "plan_id", "id") include ("status");

-- How many subscriptions of each status these plans of an account have. It runs with the owner's rights and asks once
-- whether the account is in scope, because row-level security asks it for each row, which takes nine tenths of the time.
create function count_subscriptions(account uuid, plans uuid[])
returns table (plan_id uuid, status "SubscriptionStatus", number integer)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.plan_id, s.status, count(*)::int from subscriptions s
  where in_scope(account) and s.account_id = account and s.plan_id = any(plans)
  group by s.plan_id, s.status
$$;

revoke execute on function count_subscriptions(uuid, uuid[]) from public;
