-- A claim of a call is beside the instant at which it is due, so that claimed calls can be counted.
alter table "calls" add column "claimed_by" uuid, add column "claimed_until" timestamptz(6);

-- What is due, by the provider and the kind, so that none holds back another one's, and by the account within them.
drop index "calls_due";
create index "calls_due" on "calls" ("provider", "kind", "account_id", greatest("due_at", "claimed_until"))
  where "done_at" is null;
-- What is claimed.
create index "calls_claimed" on "calls" ("claimed_until") where "done_at" is null and "claimed_until" is not null;
-- Counts what is claimed. It is volatile, so that it sees what was committed until now: whoever calls it under a lock counts
-- also what was claimed after the snapshot of its statement and before the lock was released.
create function claimed_calls() returns table (provider text, kind text, account_id uuid, count integer)
language plpgsql volatile rows 20 as $$
begin
  return query select c.provider, c.kind, c.account_id, count(*)::int from calls c
    where c.done_at is null and c.claimed_until > now() group by 1, 2, 3;
end $$;
