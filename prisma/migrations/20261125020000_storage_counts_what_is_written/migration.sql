-- What anonymous visitors cause is counted apart from what the account itself stores, and has a bound of its own by day.
alter table "account_storage" add column "visitor_bytes" bigint not null default 0;
alter table "accounts" add column "visitors_full_at" timestamptz(6);
create index "accounts_visitors_full" on "accounts" ("id") where "visitors_full_at" is not null;

-- A full sandbox may still make a few writes, until it is a tenth above its limit.
alter table "accounts" add column "storage_closed_at" timestamptz(6);

-- Null but for what an anonymous visitor of the checkout began.
alter table "transactions" add column "by_visitor" boolean;
alter table "subscriptions" add column "by_visitor" boolean;

-- An advance that ended where the account was full, before its target.
alter table "clock_advances" add column "is_full" boolean not null default false;

-- Bytes that visitors caused today.
create function visitors_used(account uuid) returns bigint language sql stable as $$
  select coalesce(sum(visitor_bytes), 0)::bigint from account_storage where account_id = account and day = current_date
$$;

-- Bytes that visitors may cause in a day: a tenth of what the account may store in thirty.
create function visitors_limit(limit_mb int) returns bigint language sql immutable as $$
  select limit_mb * 1048576::bigint / 10
$$;

-- At how many bytes in thirty days nothing more is written for an account: a tenth above its limit. Never for a live one.
create function storage_closes(account accounts) returns bigint language sql immutable as $$
  select case when account.mode = 'sandbox' then account.storage_limit_mb * 1153434::bigint end
$$;

-- Adds what accounts stored today, [{account_id, bytes, visitor_bytes}, …], and marks those that have reached a limit.
-- Always in the order of ids, so that two never wait for each other in a ring.
create or replace function count_stored(stored json) returns void language plpgsql as $$
begin
  perform set_config('app.accounts', '*', true);
  insert into account_storage as s (account_id, day, bytes, visitor_bytes)
    select a.account_id, current_date, coalesce(a.bytes, 0), coalesce(a.visitor_bytes, 0)
    from json_to_recordset(stored) as a(account_id uuid, bytes bigint, visitor_bytes bigint)
    order by a.account_id
    on conflict (account_id, day) do update
      set bytes = s.bytes + excluded.bytes, visitor_bytes = s.visitor_bytes + excluded.visitor_bytes;
  update accounts a set
      storage_full_at = coalesce(a.storage_full_at, case when reached.used >= reached.may then now() end),
      storage_closed_at = coalesce(a.storage_closed_at, case when reached.used >= storage_closes(a) then now() end),
      visitors_full_at = coalesce(a.visitors_full_at,
        case when reached.visited >= visitors_limit(a.storage_limit_mb) then now() end)
    from (
      select id, storage_limit_mb * 1048576::bigint as may, used, visited
      from accounts s, lateral (select storage_used(s.id) as used, visitors_used(s.id) as visited offset 0) counted
      where id in (select (one->>'account_id')::uuid from json_array_elements(stored) one) and (
        storage_full_at is null and used >= storage_limit_mb * 1048576::bigint
        or storage_closed_at is null and used >= storage_closes(s)
        or visitors_full_at is null and visited >= visitors_limit(storage_limit_mb))
      order by id for no key update of s
    ) reached
    where a.id = reached.id;
end $$;
