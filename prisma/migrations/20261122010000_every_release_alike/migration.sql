-- Until 2026-11-21 the first two migrations were changed after they had been released, so what they made depends on
-- when a database was made. This one brings each of those schemas to one and the same. Each step does nothing where
-- its object is there already.

-- The owner too sees rows only when it names accounts.
select set_config('app.accounts', '*', true);

-- One payment completes one sale. Where one payment completed two, the one that was completed first keeps the payment's
-- id; the others keep it with "#2", "#3" … behind it. Their status and their money are as before, and reconcile names
-- each of them (payment_of_two_sales).
do $$
begin
  if exists (
    select from pg_index where indexrelid = to_regclass('transactions_end_to_end_id') and indisunique and indisvalid
  ) then
    return;
  end if;
  update transactions t set end_to_end_id = t.end_to_end_id || '#' || ranked.place
  from (
    select account_id, id,
      row_number() over (partition by end_to_end_id, type order by paid_at nulls last, created_at, id) as place
    from transactions where end_to_end_id is not null
  ) ranked
  where ranked.place > 1 and t.account_id = ranked.account_id and t.id = ranked.id;
  drop index if exists "transactions_end_to_end_id";
  create unique index "transactions_end_to_end_id" on "transactions" ("end_to_end_id", "type") where "end_to_end_id" is not null;
end $$;

create index if not exists "accounts_ahead" on "accounts" ("id") where "clock_offset_ms" > 0;
create index if not exists "deliveries_created_at_idx" on "deliveries" using brin ("created_at");
create index if not exists "deliveries_open" on "deliveries" ("account_id", "webhook_id", "id") where "status" in ('pending', 'failed');
create index if not exists "rail_callbacks_received_at_idx" on "rail_callbacks" using brin ("received_at");
create index if not exists "card_tokens_to_empty" on "card_tokens" ("expires_at") where "wrapped_key" is not null;
create index if not exists "card_charges_created_at_idx" on "card_charges" using brin ("created_at");
create index if not exists "simulator_charges_created_at_id_idx" on "simulator_charges" ("created_at", "id");

alter table "transactions" add column if not exists "client_ip" text, add column if not exists "user_agent" text;
alter table "card_charges" alter column "created_at" set default now();

-- A sliding minute: never more than `allowed` in any 60 s. Takes up to `wanted` places and says how many it got and, if
-- not all, how many ms to wait. The row lock makes it exact over processes. `taken` counts the second in hand, `hits`
-- holds the seconds before it (second << 20 | count) and `earlier` their sum.
create or replace function take_slots(slot text, allowed int, wanted int, out granted int, out wait_ms int)
language plpgsql as $$
declare
  past bigint[];
  now_s bigint;
  last_s bigint;
  in_hand int;
  before int;
begin
  -- The usual case: not the first of this second, and there is room for all.
  -- The clock is read when the row is held, however long that took.
  update rate_limits set taken = taken + wanted
    where key = slot and second = floor(extract(epoch from clock_timestamp()))
      and earlier + taken + wanted <= allowed;
  if found then
    granted := wanted;
    wait_ms := 0;
    return;
  end if;

  -- Who was never here before costs one write. Again if the row, long unused, was purged between the two.
  loop
    now_s := floor(extract(epoch from clock_timestamp()));
    granted := least(wanted, allowed);
    insert into rate_limits (key, second, taken) values (slot, now_s, granted) on conflict (key) do nothing;
    if found then
      -- The insert may have waited for another that came to nothing.
      last_s := floor(extract(epoch from clock_timestamp()));
      if last_s <> now_s then
        update rate_limits set second = last_s where key = slot;
      end if;
      wait_ms := case when granted = wanted then 0 else 61000 end;
      return;
    end if;
    select second, taken, earlier, hits into last_s, in_hand, before, past from rate_limits where key = slot for update;
    exit when found;
  end loop;
  now_s := floor(extract(epoch from clock_timestamp()));
  if last_s <> now_s then
    if in_hand > 0 then
      past := past || (last_s << 20 | in_hand);
    end if;
    select coalesce(array_agg(h order by h), '{}'), coalesce(sum(h & 1048575), 0) into past, before
      from unnest(past) h where (h >> 20) > now_s - 61;
    in_hand := 0;
  end if;
  granted := greatest(0, least(wanted, allowed - before - in_hand));
  wait_ms := case when granted = wanted then 0
    else greatest(1000, (coalesce(past[1] >> 20, now_s) + 61 - now_s) * 1000) end;
  update rate_limits set second = now_s, taken = in_hand + granted, earlier = before, hits = past,
    updated_at = clock_timestamp() where key = slot;
end $$;
