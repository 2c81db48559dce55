-- An event is about anything: it names its subject, and keeps the record as it was right after the change.
alter table "events" add column "subject" text not null default 'transaction', add column "record" jsonb;
alter table "events" alter column "subject" drop default;

-- Until now webhooks reported the sale as it is, without what came after the event: a payment, its end, a refusal.
select set_config('app.accounts', '*', true);
update events e set record = jsonb_strip_nulls(to_jsonb(t) - '{type,shares,legacy}'::text[]
    - case when e.data ->> 'status' in ('completed', 'disputed', 'refunded', 'chargedback') then '{}'::text[]
      else '{paid_at,end_to_end_id,payer,late,settle_at,settled_at}' end
    - case when e.data ->> 'status' = 'refused' then '{}'::text[] else '{refused_reason}' end)
  || case when t.legacy is null then '{}' else jsonb_build_object('legacy', t.legacy) end
  || jsonb_build_object('status', e.data -> 'status', 'updated_at', e.occurred_at)
from transactions t where t.account_id = e.account_id and t.id = e.subject_id;
update events set record = jsonb_build_object('id', subject_id, 'account_id', account_id) where record is null;
alter table "events" alter column "record" set not null;
