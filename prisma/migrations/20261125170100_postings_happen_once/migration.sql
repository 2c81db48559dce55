-- As before, but a posting whose (type, source_id) is there already is an error and no longer left out: a status that moves
-- a second time by the same fact must not move without its money. facts: [{id, account_id, type, source_id, accounts,
-- kinds, amounts}], where the three arrays are the entries, amounts in cents. Returns how many were posted.
create or replace function ledger_post(facts json) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  outsider uuid;
  posted integer;
begin
  -- A transaction over all accounts has each of them in scope.
  if current_setting('app.accounts', true) is distinct from '*' then
    select named.account_id into outsider
    from json_to_recordset(facts) as f(account_id uuid, accounts uuid[])
    cross join lateral unnest(f.accounts || f.account_id) as named(account_id)
    where not coalesce(in_scope(named.account_id), false) limit 1;
    if found then
      raise exception 'account % is not in scope', outsider using errcode = 'insufficient_privilege';
    end if;
  end if;
  with fact as materialized (
    select * from json_to_recordset(facts) as f(id uuid, account_id uuid, type text, source_id uuid, accounts uuid[],
      kinds text[], amounts bigint[])
  ), posting as (
    insert into ledger_postings (id, account_id, type, source_id)
    select id, account_id, type, source_id from fact
    order by type, source_id -- or two calls with the same facts could wait for each other
    returning id
  ), entry as (
    insert into ledger_entries (account_id, posting_id, type, source_id, kind, amount)
    select e.account_id, f.id, f.type, f.source_id, e.kind, e.amount
    from fact f cross join lateral
      unnest(f.accounts, f.kinds, f.amounts) with ordinality as e(account_id, kind, amount, place)
    join posting on posting.id = f.id order by f.id, e.place
    returning id, account_id, kind, amount
  ), tail as (
    insert into ledger_tail (account_id, kind, entry_id, amount) select account_id, kind, id, amount from entry
  )
  select count(*) into posted from posting;
  return posted;
end $$;
