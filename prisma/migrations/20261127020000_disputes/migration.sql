create type "DisputeStatus" as enum ('open', 'won', 'lost', 'cancelled');
create type "DisputeReason" as enum ('fraud', 'operational_flaw', 'not_received', 'not_as_described', 'duplicate', 'not_recognised', 'other');

-- What a card dispute that was lost costs the seller, in cents.
alter table accounts add column chargeback_fee bigint not null default 0;
-- What of a sale went back to its payer by disputes, which is part of all that went back.
alter table transactions add column lost_amount bigint not null default 0;

create table disputes (
  id uuid not null,
  account_id uuid not null,
  mode "Mode" not null,
  transaction_id uuid not null,
  method "TransactionMethod" not null,
  provider text not null,
  provider_id text not null,
  status "DisputeStatus" not null default 'open',
  reason "DisputeReason" not null,
  amount bigint not null,
  fee bigint not null,
  held_shares bigint not null default 0,
  blocked_amount bigint not null default 0,
  pending_amount bigint not null default 0,
  lost_amount bigint not null default 0,
  deadline timestamptz(6) not null,
  defence text,
  defended_at timestamptz(6),
  block_at timestamptz(6),
  remind_at timestamptz(6),
  ended_at timestamptz(6),
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  constraint disputes_pkey primary key (account_id, id),
  constraint disputes_account_id_transaction_id_fkey foreign key (account_id, transaction_id)
    references transactions (account_id, id) on delete restrict on update restrict,
  constraint disputes_blocked_within check (blocked_amount >= 0 and blocked_amount <= amount - held_shares)
);
create unique index disputes_of_provider on disputes (account_id, provider, method, provider_id);
create index disputes_provider_id on disputes (provider_id);
-- A sale has one dispute at most that has not ended.
create unique index disputes_open_of_sale on disputes (account_id, transaction_id) where status = 'open';
create index disputes_of_sale on disputes (account_id, transaction_id, id);
-- The lists of each status. They are partial, because under row-level security no comparison of an enum is a condition on an index.
create index disputes_open on disputes (account_id, id) where status = 'open';
create index disputes_won on disputes (account_id, id) where status = 'won';
create index disputes_lost on disputes (account_id, id) where status = 'lost';
create index disputes_cancelled on disputes (account_id, id) where status = 'cancelled';
create index disputes_open_live on disputes (deadline, account_id, id) where status = 'open' and mode = 'live';
create index disputes_open_sandbox on disputes (deadline, account_id, id) where status = 'open' and mode = 'sandbox';
create index disputes_to_block on disputes (block_at, id) where block_at is not null;
create index disputes_to_remind on disputes (remind_at, id) where remind_at is not null;
create index disputes_to_remind_of_account on disputes (account_id) where remind_at is not null;

-- Money that was blocked for a dispute after it was opened. Its id is the source of its posting.
create table dispute_blocks (
  id uuid not null,
  account_id uuid not null,
  dispute_id uuid not null,
  amount bigint not null,
  created_at timestamptz(6) not null default now(),
  constraint dispute_blocks_pkey primary key (account_id, id),
  constraint dispute_blocks_account_id_dispute_id_fkey foreign key (account_id, dispute_id)
    references disputes (account_id, id) on delete restrict on update restrict
);
create index dispute_blocks_account_id_dispute_id_idx on dispute_blocks (account_id, dispute_id);

create table dispute_shares (
  id uuid not null,
  account_id uuid not null,
  dispute_id uuid not null,
  share_id uuid not null,
  recipient_id uuid not null,
  amount bigint not null,
  is_held boolean not null,
  returned bigint not null default 0,
  constraint dispute_shares_pkey primary key (account_id, id),
  constraint dispute_shares_account_id_dispute_id_fkey foreign key (account_id, dispute_id)
    references disputes (account_id, id) on delete restrict on update restrict
);
create index dispute_shares_account_id_dispute_id_idx on dispute_shares (account_id, dispute_id);

alter table disputes enable row level security;
alter table disputes force row level security;
create policy tenant on disputes using (in_scope(account_id)) with check (in_scope(account_id));
alter table dispute_blocks enable row level security;
alter table dispute_blocks force row level security;
create policy tenant on dispute_blocks using (in_scope(account_id)) with check (in_scope(account_id));
alter table dispute_shares enable row level security;
alter table dispute_shares force row level security;
create policy tenant on dispute_shares using (in_scope(account_id)) with check (in_scope(account_id));

-- The simulated PSP's own records: Pix payments that their payers dispute.
create table simulator_infractions (
  id text not null,
  payment_id text not null,
  amount bigint not null,
  reason text not null,
  status text not null default 'open',
  lost_amount bigint not null default 0,
  defence jsonb,
  changes integer not null default 0,
  notify_at timestamptz(6),
  attempts integer not null default 0,
  created_at timestamptz(6) not null default now(),
  constraint simulator_infractions_pkey primary key (id)
);
create index simulator_infractions_payment_id_idx on simulator_infractions (payment_id);
create index simulator_infractions_created_at_idx on simulator_infractions (created_at);
create index simulator_infractions_owed on simulator_infractions (notify_at) where notify_at is not null;
create index simulator_infractions_open on simulator_infractions (created_at, id) where status = 'open';

-- The simulated acquirer's own records: charges that their cards' holders dispute.
create table simulator_chargebacks (
  id text not null,
  payment_id text not null,
  amount bigint not null,
  reason text not null,
  status text not null default 'open',
  lost_amount bigint not null default 0,
  defence jsonb,
  changes integer not null default 0,
  notify_at timestamptz(6),
  attempts integer not null default 0,
  created_at timestamptz(6) not null default now(),
  constraint simulator_chargebacks_pkey primary key (id)
);
create index simulator_chargebacks_payment_id_idx on simulator_chargebacks (payment_id);
create index simulator_chargebacks_created_at_idx on simulator_chargebacks (created_at);
create index simulator_chargebacks_owed on simulator_chargebacks (notify_at) where notify_at is not null;
create index simulator_chargebacks_open on simulator_chargebacks (created_at, id) where status = 'open';

-- Evidence of a defence. Its bytes are encrypted under a key of its own, which the vault's key wraps.
create table dispute_files (
  id uuid not null,
  account_id uuid not null,
  dispute_id uuid not null,
  name text not null,
  content_type text not null,
  size integer not null,
  sha256 text not null,
  wrapped_key bytea not null,
  bytes bytea not null,
  created_at timestamptz(6) not null,
  dispute_ended_at timestamptz(6),
  constraint dispute_files_pkey primary key (account_id, id),
  constraint dispute_files_size check (size <= 5000000),
  constraint dispute_files_account_id_dispute_id_fkey foreign key (account_id, dispute_id)
    references disputes (account_id, id) on delete restrict on update restrict
);
create index dispute_files_account_id_dispute_id_idx on dispute_files (account_id, dispute_id);
create index dispute_files_ended on dispute_files (dispute_ended_at) where dispute_ended_at is not null;
alter table dispute_files enable row level security;
alter table dispute_files force row level security;
create policy tenant on dispute_files using (in_scope(account_id)) with check (in_scope(account_id));

-- The same as before, with events about disputes. Redacts events of an account: the only change that is ever made to one. Nobody who calls it says what they hold afterwards,
-- and who acted stays, but a payer's address. While it runs nothing else is linked to the account's audit chain, which keeps the
-- digest of what was there and gives up its salt. An event of its own names them with the digests of what was left, and is linked
-- at once: what has no salt verifies by it alone (lib/audit-log/link-events.ts).
create or replace function redact_events(account uuid, ids uuid[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  named_in uuid := new_id();
begin
  if not coalesce(in_scope(account), false) then
    raise exception 'account % is not in scope', account using errcode = 'insufficient_privilege';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('audit:' || account, 0));
  with redacted as (
    update events set data = without_person(data), record = without_person(record), redacted_by = named_in,
      actor = case when actor ->> 'kind' in ('payer', 'visitor') then actor - 'ip' else actor end
    where account_id = account and id = any(ids) and redacted_by is null
      and subject in ('transaction', 'subscription', 'refund', 'dispute', 'stored_card')
    returning id, encode(sha256(convert_to(
      data::text || E'\n' || record::text || E'\n' || coalesce(actor::text, ''), 'UTF8')), 'hex') as digest
  ), unsalted as (
    update audit_links l set salt = null from redacted r where l.account_id = account and l.event_id = r.id
  )
  insert into events (account_id, id, type, subject, subject_id, data, record, actor, occurred_at)
  select account, named_in, 'customer_data.redacted', 'customer_data', named_in, '{}', jsonb_object_agg(id, digest),
    '{"kind": "system"}', now()
  from redacted having count(*) > 0;
  if found then
    perform audit_link(array[account], array[named_in]);
  end if;
end $$;
revoke execute on function redact_events(uuid, uuid[]) from public;

alter table disputes alter column account_id set (n_distinct = 1);
alter table dispute_blocks alter column account_id set (n_distinct = 1);
alter table dispute_shares alter column account_id set (n_distinct = 1);
alter table dispute_files alter column account_id set (n_distinct = 1);

-- Whoever chose to be mailed about refunds is mailed about disputes too, until they choose otherwise.
update memberships set topics = topics || 'disputes'::text where has_chosen_topics and 'refunds' = any(topics);
