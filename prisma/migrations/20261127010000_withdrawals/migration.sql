-- What a withdrawal costs, and how much may go out: in one, on a local day, in a local night (20:00 to 06:00), and while a key,
-- a password or a credential is new. In cents. Who has a sandbox tries amounts out, so that its limits are higher.
alter table accounts add column withdrawal_fee bigint not null default 0,
  add column withdrawal_limit bigint not null default 1000000,
  add column withdrawal_day_limit bigint not null default 5000000,
  add column withdrawal_night_limit bigint not null default 100000,
  add column new_key_limit bigint not null default 100000;
update accounts set withdrawal_limit = 10000000, withdrawal_day_limit = 10000000, withdrawal_night_limit = 10000000,
  new_key_limit = 10000000 where mode = 'sandbox';

create type "PixKeyType" as enum ('CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP');
create type "WithdrawalStatus" as enum ('awaiting_approval', 'requested', 'sending', 'accepted', 'paid', 'failed', 'cancelled',
  'lapsed', 'returned');

create table withdrawals (
  account_id uuid not null,
  id uuid not null,
  mode "Mode" not null,
  status "WithdrawalStatus" not null,
  provider text not null,
  amount bigint not null,
  fee bigint not null,
  returned_amount bigint not null default 0,
  description text,
  external_id text,
  pix_key_type "PixKeyType" not null,
  pix_key text not null,
  document text not null,
  owner_name text not null,
  limits jsonb not null,
  is_lowered boolean not null,
  asked_by uuid not null,
  approved_by uuid,
  lapses_at timestamptz(6),
  end_to_end_id text,
  failure_reason text,
  approved_at timestamptz(6),
  sent_at timestamptz(6),
  accepted_at timestamptz(6),
  paid_at timestamptz(6),
  failed_at timestamptz(6),
  cancelled_at timestamptz(6),
  returned_at timestamptz(6),
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  constraint withdrawals_pkey primary key (account_id, id),
  constraint withdrawals_returned_in_amount check (returned_amount between 0 and amount)
);
alter table withdrawals alter column account_id set (n_distinct = 1);
-- The list of one status in the order of its ids. They are partial, because under row-level security no comparison of an
-- enum is a condition on an index.
create index withdrawals_awaiting_approval on withdrawals (account_id, id) where status = 'awaiting_approval';
create index withdrawals_requested on withdrawals (account_id, id) where status = 'requested';
create index withdrawals_sending on withdrawals (account_id, id) where status = 'sending';
create index withdrawals_accepted on withdrawals (account_id, id) where status = 'accepted';
create index withdrawals_paid on withdrawals (account_id, id) where status = 'paid';
create index withdrawals_failed on withdrawals (account_id, id) where status = 'failed';
create index withdrawals_cancelled on withdrawals (account_id, id) where status = 'cancelled';
create index withdrawals_lapsed on withdrawals (account_id, id) where status = 'lapsed';
create index withdrawals_returned on withdrawals (account_id, id) where status = 'returned';
-- Since when a key is used, what went out while something was new, and which withdrawal a payment is of.
create index withdrawals_of_key on withdrawals (account_id, pix_key, id);
create index withdrawals_lowered on withdrawals (account_id, id) where is_lowered;
create index withdrawals_end_to_end_id on withdrawals (account_id, end_to_end_id) where end_to_end_id is not null;
-- What nobody approved in time, of all accounts.
create index withdrawals_due on withdrawals (lapses_at) where status = 'awaiting_approval';

-- Money of a withdrawal that came back. Its id is the source of its posting.
create table withdrawal_returns (
  account_id uuid not null,
  id uuid not null,
  withdrawal_id uuid not null,
  return_id text not null,
  amount bigint not null,
  reason text,
  created_at timestamptz(6) not null,
  constraint withdrawal_returns_pkey primary key (account_id, id),
  constraint withdrawal_returns_account_id_withdrawal_id_fkey foreign key (account_id, withdrawal_id)
    references withdrawals (account_id, id) on delete restrict on update restrict
);
create unique index withdrawal_returns_once on withdrawal_returns (account_id, withdrawal_id, return_id);
alter table withdrawal_returns alter column account_id set (n_distinct = 1);

alter table withdrawals enable row level security;
alter table withdrawals force row level security;
create policy tenant on withdrawals using (in_scope(account_id)) with check (in_scope(account_id));
alter table withdrawal_returns enable row level security;
alter table withdrawal_returns force row level security;
create policy tenant on withdrawal_returns using (in_scope(account_id)) with check (in_scope(account_id));

-- Where the operator stopped payouts: everywhere, of a rail, or of an account. What is asked for waits meanwhile. It is read with
-- one account in scope, and is no seller's.
create type "StopScope" as enum ('all', 'rail', 'account');
create table payout_stops (
  scope "StopScope" not null,
  target text not null default '',
  reason text not null,
  stopped_by uuid not null,
  created_at timestamptz(6) not null default now(),
  primary key (scope, target)
);

-- Since when a password, a second factor and a credential are as they are: while one is new, less goes out.
alter table users add column password_changed_at timestamptz(6), add column second_factor_changed_at timestamptz(6);
update users set second_factor_changed_at = totp_since where totp_since is not null;
alter table credentials add column changed_at timestamptz(6) not null default now();
update credentials set changed_at = created_at;

-- The same limit over a window of another length: never more than `allowed` in any `window_s` seconds.
drop function take_slots(text, int, int);
create function take_slots(slot text, allowed int, wanted int, window_s int default 60, out granted int, out wait_ms int)
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
      wait_ms := case when granted = wanted then 0 else (window_s + 1) * 1000 end;
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
  wait_ms := case when granted = wanted then 0
    else greatest(1000, (coalesce(past[1] >> 20, now_s) + window_s + 1 - now_s) * 1000) end;
  update rate_limits set second = now_s, taken = in_hand + granted, earlier = before, hits = past,
    updated_at = clock_timestamp() where key = slot;
end $$;
