-- What the entries of an account came to on each day, by kind of account and type of posting: an account's balance at any
-- moment is the sum of the days before, and the entries of its day. The ids are those between which the day's entries are, so
-- that a day, or one type of a day, is found by the key of the entries. The rows are written by the fold, in the statement that
-- writes the snapshots, so what is in the tail is not in here; the day of an entry is that of its created_at, whenever it was
-- committed. part is 2 where an entry is the second debit of its posting from the same kind of account: a fee beside its amount.
create table ledger_days (
  account_id uuid not null,
  day date not null,
  kind text not null,
  type text not null,
  part smallint not null,
  amount bigint not null,
  entries bigint not null,
  first_id bigint not null,
  last_id bigint not null,
  constraint ledger_days_pkey primary key (account_id, day, kind, type, part)
) with (fillfactor = 50);
alter table ledger_days alter column account_id set (n_distinct = 1);
alter table ledger_days enable row level security;
alter table ledger_days force row level security;
create policy tenant on ledger_days using (in_scope(account_id)) with check (in_scope(account_id));

-- A share is the source of its postings, so that a line of a statement leads to its sale.
create index shares_account_id_id_idx on shares (account_id, id);

-- The day of an entry, as the fold, reconcile and the statement know it.
create function ledger_day(at timestamptz) returns date language sql immutable parallel safe
  return (at at time zone 'America/Sao_Paulo')::date;

-- As before, and each entry is added to its day. An entry is found by its key alone, however many the plan expects.
create or replace function ledger_fold(at_most integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  folded integer;
begin
  with picked as (
    select account_id, kind, entry_id from ledger_tail where in_scope(account_id)
    order by account_id, kind, entry_id limit at_most for update skip locked
  ), gone as (
    delete from ledger_tail t using picked p
    where t.account_id = p.account_id and t.kind = p.kind and t.entry_id = p.entry_id
    returning t.account_id, t.kind, t.entry_id, t.amount
  ), sums as (
    select account_id, kind, sum(amount)::bigint as amount, count(*) as entries from gone
    group by account_id, kind order by account_id, kind
  ), kept as (
    insert into ledger_snapshots as s (account_id, kind, amount, folded_at)
    select account_id, kind, amount, clock_timestamp() from sums order by account_id, kind
    on conflict (account_id, kind)
    do update set amount = s.amount + excluded.amount, folded_at = excluded.folded_at
  ), days as (
    insert into ledger_days as d (account_id, day, kind, type, part, amount, entries, first_id, last_id)
    select e.account_id, ledger_day(e.created_at), e.kind, e.type,
      case when e.kind in ('available', 'pending', 'blocked', 'held') and e.amount < 0 and exists (
        select from ledger_entries f where f.posting_id = e.posting_id and f.account_id = e.account_id and f.kind = e.kind
          and f.amount < 0 and f.id < e.id
      ) then 2 else 1 end,
      sum(e.amount), count(*), min(e.id), max(e.id)
    from gone g
    cross join lateral (select * from ledger_entries where account_id = g.account_id and id = g.entry_id offset 0) e
    group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (account_id, day, kind, type, part) do update
      set amount = d.amount + excluded.amount, entries = d.entries + excluded.entries,
        first_id = least(d.first_id, excluded.first_id), last_id = greatest(d.last_id, excluded.last_id)
  )
  select coalesce(sum(entries), 0) into folded from sums;
  return folded;
end $$;

-- What was folded before. Nothing is folded meanwhile, and who asks for a debit waits; credits do not.
select set_config('app.accounts', '*', true);
lock table ledger_snapshots in share row exclusive mode;
insert into ledger_days (account_id, day, kind, type, part, amount, entries, first_id, last_id)
select e.account_id, ledger_day(e.created_at), e.kind, e.type, 
  case when e.kind in ('available', 'pending', 'blocked', 'held') and e.amount < 0 and exists (
    select from ledger_entries f where f.posting_id = e.posting_id and f.account_id = e.account_id and f.kind = e.kind
      and f.amount < 0 and f.id < e.id
  ) then 2 else 1 end,
  sum(e.amount), count(*), min(e.id), max(e.id)
from ledger_entries e
where not exists (
  select from ledger_tail t where t.account_id = e.account_id and t.kind = e.kind and t.entry_id = e.id
)
group by 1, 2, 3, 4, 5;
