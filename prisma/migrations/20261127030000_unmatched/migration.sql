-- Unmatched money becomes a record of its own: whose it may be, what was decided about it and by whom, and its return.
select set_config('app.accounts', '*', true);

create type "UnmatchedStatus" as enum ('open', 'matched', 'credited', 'returning', 'returned');

alter table unmatched_receipts
  add column account_id uuid,
  add column mode "Mode",
  add column method "TransactionMethod",
  add column status "UnmatchedStatus" not null default 'open',
  add column sale_id uuid,
  add column payer jsonb,
  add column received_at timestamptz(6),
  add column return_at timestamptz(6),
  add column decided_by uuid,
  add column decided_at timestamptz(6),
  add column decision text,
  add column to_account_id uuid,
  add column to_sale_id uuid,
  add column return_id uuid,
  add column provider_return_id text,
  add column return_failure text,
  add column updated_at timestamptz(6);

-- Each older row has the mode in which it was posted, and the account of the sale that it names where that is of the same
-- mode. It is returned by nobody but a person, who may have given it back outside of this program.
update unmatched_receipts u set
  mode = found.mode,
  method = found.method,
  sale_id = case when found.sale_mode = found.mode then found.sale_id end,
  account_id = case when found.sale_mode = found.mode then found.account_id
    when found.mode = 'sandbox' then '00000000-0000-7000-8000-000000000001'::uuid
    else '00000000-0000-7000-8000-000000000000'::uuid end,
  received_at = u.created_at,
  updated_at = u.created_at
from (
  select r.id, t.id as sale_id, t.account_id, a.mode as sale_mode,
    case when p.account_id = '00000000-0000-7000-8000-000000000001'::uuid then 'sandbox' else 'live' end::"Mode" as mode,
    case r.provider when 'cards' then 'card' else 'pix' end::"TransactionMethod" as method
  from unmatched_receipts r
  join ledger_postings p on p.type in ('unmatched_received', 'card_unmatched_received') and p.source_id = r.id
  left join transactions t on case when r.provider = 'cards' then t.id::text = r.end_to_end_id and t.method = 'card'
    else t.txid = r.txid and t.method = 'pix' end
  left join accounts a on a.id = t.account_id
) found
where found.id = u.id;

alter table unmatched_receipts
  alter column account_id set not null,
  alter column mode set not null,
  alter column method set not null,
  alter column received_at set not null,
  alter column updated_at set not null;

-- What a rail reports is received once, whosever it is; what is decided about it is found by its account.
alter table unmatched_receipts drop constraint unmatched_receipts_pkey, add primary key (account_id, id);
drop index unmatched_receipts_id_key;
create unique index unmatched_receipts_once on unmatched_receipts (provider, end_to_end_id);
create index unmatched_receipts_end_to_end_id on unmatched_receipts (end_to_end_id);
create index unmatched_receipts_amount on unmatched_receipts (amount, received_at);
create index unmatched_receipts_of_sale on unmatched_receipts (account_id, sale_id) where sale_id is not null;
create unique index unmatched_receipts_return on unmatched_receipts (account_id, return_id) where return_id is not null;
create index unmatched_receipts_due on unmatched_receipts (return_at, id) where status = 'open' and return_at is not null;

-- The operator's list has a mode and a status, which are conditions of an index, because row-level security compares no enum.
do $$
declare
  m text;
  s text;
begin
  foreach m in array array['live', 'sandbox'] loop
    foreach s in array array['open', 'matched', 'credited', 'returning', 'returned'] loop
      execute format('create index %I on unmatched_receipts (received_at, id) where mode = %L and status = %L',
        'unmatched_receipts_' || m || '_' || s, m, s);
    end loop;
  end loop;
end $$;

alter table unmatched_receipts alter column account_id set (n_distinct = 1);
alter table unmatched_receipts enable row level security;
alter table unmatched_receipts force row level security;
create policy tenant on unmatched_receipts using (in_scope(account_id)) with check (in_scope(account_id));

-- Sales that money without a sale may have been meant for, over all accounts.
create index transactions_payable_amount on transactions (amount, id) where status in ('pending', 'expired');

-- Whether a payment is money that pays no sale, or another one than this. It is volatile, so that it reads what was committed
-- since its statement began: a sale that is paid waits for whoever notes its payment as unmatched, and the other way round.
create function is_unmatched(payment text, sale uuid) returns boolean
language plpgsql volatile set search_path = public, pg_temp as $$
begin
  return payment is not null
    and exists (select from unmatched_receipts where end_to_end_id = payment and to_sale_id is distinct from sale);
end $$;
