-- Money that belongs to no sale was only noted. It is the platform's, out of the clearing of its rail, until it is matched,
-- credited or returned.
select set_config('app.accounts', '*', true);

alter table ledger_entries drop constraint ledger_entries_kind, add constraint ledger_entries_kind check (kind in (
  'available', 'pending', 'blocked', 'held', 'fees', 'unmatched', 'clearing', 'card_clearing', 'demo'));

alter table unmatched_receipts add column id uuid;
update unmatched_receipts set id = gen_random_uuid();
alter table unmatched_receipts alter column id set not null;
create unique index unmatched_receipts_id_key on unmatched_receipts (id);

-- The provider of card money is "cards", and its id that of the sale; of Pix only the simulator moves a sandbox's money.
select ledger_post(json_agg(json_build_object(
    'id', gen_random_uuid(), 'account_id', platform, 'source_id', u.id,
    'type', case provider when 'cards' then 'card_unmatched_received' else 'unmatched_received' end,
    'accounts', json_build_array(platform, platform),
    'kinds', json_build_array(case provider when 'cards' then 'card_clearing' else 'clearing' end, 'unmatched'),
    'amounts', json_build_array(-u.amount, u.amount)
  )))
from unmatched_receipts u
cross join lateral (
  select case when u.provider = 'simulator' or exists (
      select from transactions t join accounts a on a.id = t.account_id
      where u.provider = 'cards' and t.id::text = u.end_to_end_id and a.mode = 'sandbox'
    ) then '00000000-0000-7000-8000-000000000001'::uuid else '00000000-0000-7000-8000-000000000000'::uuid end as platform
) of_mode
having count(*) > 0;
