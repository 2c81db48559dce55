-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "storage_limit_mb" INTEGER NOT NULL DEFAULT 1024,
ADD COLUMN     "storage_full_at" TIMESTAMPTZ(6);

-- CreateTable
CREATE TABLE "account_storage" (
    "account_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "account_storage_pkey" PRIMARY KEY ("account_id","day")
);

-- Row-level security, as in the first migration; and the limit of live accounts, as new ones have it.
alter table "account_storage" enable row level security;
alter table "account_storage" force row level security;
create policy tenant on "account_storage" using (in_scope(account_id)) with check (in_scope(account_id));
do $$
begin
  perform set_config('app.accounts', '*', true);
  update accounts set storage_limit_mb = 102400 where mode = 'live';
end $$;

-- The few accounts that are full, for the sweep that lets them store again.
create index "accounts_storage_full" on "accounts" ("id") where "storage_full_at" is not null;

-- Bytes that an account stored in the last thirty days.
create function storage_used(account uuid) returns bigint language sql stable as $$
  select coalesce(sum(bytes), 0)::bigint from account_storage where account_id = account and day > current_date - 30
$$;

-- Adds what accounts stored today, [{account_id, bytes}, …], and marks those that have reached their limit. Always in the
-- order of ids, so that two never wait for each other in a ring.
create function count_stored(stored json) returns void language plpgsql as $$
begin
  perform set_config('app.accounts', '*', true);
  insert into account_storage as s (account_id, day, bytes)
    select a.account_id, current_date, a.bytes from json_to_recordset(stored) as a(account_id uuid, bytes bigint)
    order by a.account_id
    on conflict (account_id, day) do update set bytes = s.bytes + excluded.bytes;
  update accounts a set storage_full_at = now()
    from (
      select id from accounts
      where id in (select (one->>'account_id')::uuid from json_array_elements(stored) one) and storage_full_at is null
        and storage_used(id) >= storage_limit_mb * 1048576::bigint
      order by id for no key update
    ) full_now
    where a.id = full_now.id;
end $$;
