-- Where a page of a link or a plan leads back to: after the payment, and without one.
alter table payment_links add column return_url text, add column cancel_url text;
alter table plans add column return_url text, add column cancel_url text;

-- As before, and it also returns what is left of the limit after this call, and after how long more of it is free.
drop function take_slots(text, int, int, int);
create function take_slots(slot text, allowed int, wanted int, window_s int default 60,
  out granted int, out wait_ms int, out left_over int, out more_in_s int)
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
      and earlier + taken + wanted <= allowed
    returning allowed - earlier - taken, coalesce(hits[1] >> 20, second) - second + window_s + 1
    into left_over, more_in_s;
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
      wait_ms := case when granted = wanted then 0 else (window_s + 1) * 1000 end;
      left_over := allowed - granted;
      more_in_s := window_s + 1;
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
      from unnest(past) h where (h >> 20) > now_s - window_s - 1;
    in_hand := 0;
  end if;
  granted := greatest(0, least(wanted, allowed - before - in_hand));
  more_in_s := greatest(1, coalesce(past[1] >> 20, now_s) + window_s + 1 - now_s);
  left_over := greatest(0, allowed - before - in_hand - granted);
  wait_ms := case when granted = wanted then 0 else more_in_s * 1000 end;
  update rate_limits set second = now_s, taken = in_hand + granted, earlier = before, hits = past,
    updated_at = clock_timestamp() where key = slot;
end $$;
