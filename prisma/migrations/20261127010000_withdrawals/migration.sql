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
