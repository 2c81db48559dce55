-- The ledger's rules are held by the database. Its four tables are written by the three functions below, which run with
-- the owner's rights; the program's role may only read the tables (bin/roles.mjs). The functions ask in_scope
-- themselves, because an owner who is a superuser is not bound by row-level security.

-- The kinds of lib/ledger/chart.ts, for the owner as well. A new kind replaces this constraint.
alter table "ledger_entries" add constraint "ledger_entries_kind" check ("kind" in (
  'available', 'pending', 'blocked', 'held', 'fees', 'clearing', 'card_clearing', 'demo'));

-- Entries are never changed, so a posting sums to zero for ever if each statement adds entries that do. Asked once a
-- statement, this costs a third of a deferred constraint, which PostgreSQL asks for each row, and it is stricter: not
-- even within a transaction is a posting out of balance.
create function refuse_unbalanced() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  unbalanced uuid;
begin
  select posting_id into unbalanced from inserted group by posting_id having sum(amount) <> 0 limit 1;
  if found then
    raise exception 'the entries of posting % do not sum to zero', unbalanced using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger balanced after insert on "ledger_entries" referencing new table as inserted
  for each statement execute function refuse_unbalanced();

-- Writes postings, their entries and the entries' tail. A posting whose (type, source_id) is there already is left out
-- with its entries. postings: [{id, account_id, type, source_id}]; entries: [{posting_id, account_id, kind, amount}],
-- amounts in cents. Returns how many postings are new.
create function ledger_post(postings json, entries json) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  outsider uuid;
  posted integer;
begin
  select account_id into outsider from (
    select account_id from json_to_recordset(postings) as p(account_id uuid)
    union all select account_id from json_to_recordset(entries) as e(account_id uuid)
  ) named where not coalesce(in_scope(account_id), false) limit 1;
  if found then
    raise exception 'account % is not in scope', outsider using errcode = 'insufficient_privilege';
  end if;
  with posting as (
    insert into ledger_postings (id, account_id, type, source_id)
    select id, account_id, type, source_id
    from json_to_recordset(postings) as p(id uuid, account_id uuid, type text, source_id uuid)
    order by type, source_id -- or two calls with the same facts could wait for each other
    on conflict (type, source_id) do nothing returning id
  ), entry as (
    insert into ledger_entries (account_id, posting_id, kind, amount)
    select e.account_id, posting.id, e.kind, e.amount
    from rows from (json_to_recordset(entries) as (posting_id uuid, account_id uuid, kind text, amount bigint))
      with ordinality as e(posting_id, account_id, kind, amount, place)
    join posting on posting.id = e.posting_id order by e.place
    returning id, account_id, kind, amount
  ), tail as (
    insert into ledger_tail (account_id, kind, entry_id, amount) select account_id, kind, id, amount from entry
  )
  select count(*) into posted from posting;
  return posted;
end $$;

-- Folds at most so many entries of the tail into the snapshots, of accounts in scope. Returns how many.
create function ledger_fold(at_most integer) returns integer
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
    returning t.account_id, t.kind, t.amount
  ), sums as (
    select account_id, kind, sum(amount)::bigint as amount, count(*) as entries from gone
    group by account_id, kind order by account_id, kind
  ), kept as (
    insert into ledger_snapshots as s (account_id, kind, amount, folded_at)
    select account_id, kind, amount, clock_timestamp() from sums order by account_id, kind
    on conflict (account_id, kind)
    do update set amount = s.amount + excluded.amount, folded_at = excluded.folded_at
  )
  select coalesce(sum(entries), 0) into folded from sums;
  return folded;
end $$;

-- Holds an account's available balance until the transaction ends: two debits at once queue here, credits do not.
create function ledger_reserve(account uuid) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not coalesce(in_scope(account), false) then
    raise exception 'account % is not in scope', account using errcode = 'insufficient_privilege';
  end if;
  insert into ledger_snapshots (account_id, kind, amount) values (account, 'available', 0) on conflict do nothing;
  perform from ledger_snapshots where account_id = account and kind = 'available' for update;
  return true;
end $$;

revoke execute on function ledger_post(json, json), ledger_fold(integer), ledger_reserve(uuid) from public;
