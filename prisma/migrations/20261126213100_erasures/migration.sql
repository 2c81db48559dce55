-- What an account asked to erase of one customer. Whom it is about is encrypted, and gone once it is done.
create table erasures (
  id uuid not null,
  account_id uuid not null,
  sealed_person bytea,
  asked_by uuid not null,
  erased jsonb not null default '{}',
  due_at timestamptz(6) default now(),
  created_at timestamptz(6) not null default now(),
  done_at timestamptz(6),
  constraint erasures_pkey primary key (account_id, id)
);
alter table erasures alter column account_id set (n_distinct = 1);
create index erasures_due on erasures (due_at) where due_at is not null;
alter table erasures enable row level security;
alter table erasures force row level security;
create policy tenant on erasures using (in_scope(account_id)) with check (in_scope(account_id));

-- A person is looked for by e-mail too; a subscription's document is its subscriber's.
create index card_charges_account_id_email_idx on card_charges (account_id, email);
create index subscriptions_account_id_email_idx on subscriptions (account_id, email);

-- The event that says that this one holds nothing of a person any more.
alter table events add column redacted_by uuid;

-- A record as an event keeps it, without what names a person: members that only a customer has, and of whatever has a document
-- or an e-mail its name, document, e-mail, phone and address.
create function without_person(value jsonb) returns jsonb language plpgsql immutable as $$
declare
  result jsonb := '{}';
  member record;
  is_person boolean;
begin
  if jsonb_typeof(value) = 'array' then
    return coalesce((select jsonb_agg(without_person(item) order by place)
      from jsonb_array_elements(value) with ordinality as items(item, place)), '[]');
  end if;
  if jsonb_typeof(value) is distinct from 'object' then
    return value;
  end if;
  is_person := value ?| array['email', 'document'];
  for member in select m.key, m.value as held from jsonb_each(value) m loop
    continue when member.key = any(array['client_name', 'client_email', 'client_document', 'client_phone', 'client_ip',
      'user_agent', 'delivery_address', 'payer', 'consent', 'legacy']);
    result := result || jsonb_build_object(member.key, case
      when is_person and member.key = any(array['name', 'name_key', 'email', 'document', 'phone', 'ip']) then '"—"'
      else without_person(member.held) end);
  end loop;
  return result;
end $$;

-- Redacts events of an account: the only change that is ever made to one. Nobody who calls it says what they hold afterwards,
-- and who acted stays, but a payer's address. While it runs nothing else is linked to the account's audit chain, which keeps the
-- digest of what was there and gives up its salt. An event of its own names them with the digests of what was left, and is linked
-- at once: what has no salt verifies by it alone (lib/audit-log/link-events.ts).
create function redact_events(account uuid, ids uuid[]) returns void
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
      and subject in ('transaction', 'subscription', 'refund', 'stored_card')
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
