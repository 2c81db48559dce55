-- An entry carries its posting's type and source, so that each side of a posting can say why: a recipient sees its own
-- entries, and not the seller's posting.

-- AlterTable
ALTER TABLE "ledger_entries" ADD COLUMN     "type" TEXT,
ADD COLUMN     "source_id" UUID;

-- Entries that are there already are given both. Nothing else of them changes, and append_only is back afterwards.
select set_config('app.accounts', '*', true);
alter table "ledger_entries" disable trigger append_only;
update ledger_entries e set type = p.type, source_id = p.source_id from ledger_postings p where p.id = e.posting_id;
alter table "ledger_entries" enable trigger append_only;

-- AlterTable
ALTER TABLE "ledger_entries" ALTER COLUMN "type" SET NOT NULL,
ALTER COLUMN "source_id" SET NOT NULL;

-- As before, and each entry is written with its posting's type and source.
create or replace function ledger_post(postings json, entries json) returns integer
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
    on conflict (type, source_id) do nothing returning id, type, source_id
  ), entry as (
    insert into ledger_entries (account_id, posting_id, type, source_id, kind, amount)
    select e.account_id, posting.id, posting.type, posting.source_id, e.kind, e.amount
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
