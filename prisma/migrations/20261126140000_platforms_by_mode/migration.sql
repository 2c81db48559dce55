-- Until now one platform had the fees and the clearing of both modes, so that test fees added to real ones. What came from
-- sandboxes is moved to a platform of their own by one posting.
select set_config('app.accounts', '*', true);

create temporary table of_sandboxes on commit drop as
  select e.kind, sum(e.amount)::bigint as amount
  from ledger_entries e
  join ledger_postings p on p.id = e.posting_id
  join accounts a on a.id = p.account_id and a.mode = 'sandbox'
  where e.account_id = '00000000-0000-7000-8000-000000000000'
  group by e.kind having sum(e.amount) <> 0;

insert into ledger_postings (id, account_id, type, source_id)
select '00000000-0000-7000-8000-000000000002', '00000000-0000-7000-8000-000000000000', 'modes_separated',
  '00000000-0000-7000-8000-000000000001'
where exists (select from of_sandboxes);

with entry as (
  insert into ledger_entries (account_id, posting_id, type, source_id, kind, amount)
  select side.account_id, '00000000-0000-7000-8000-000000000002', 'modes_separated', '00000000-0000-7000-8000-000000000001',
    s.kind, side.amount
  from of_sandboxes s cross join lateral (values
    ('00000000-0000-7000-8000-000000000000'::uuid, -s.amount), ('00000000-0000-7000-8000-000000000001'::uuid, s.amount)
  ) side (account_id, amount)
  order by s.kind, side.account_id
  returning account_id, kind, id, amount
)
insert into ledger_tail (account_id, kind, entry_id, amount) select account_id, kind, id, amount from entry;
