-- Where a sale came from: {utm {source, medium, campaign, term, content}, src, sck}, and of a subscription also the
-- address and browser of its sign-up, for its later charges.
alter table transactions add column tracking jsonb;
alter table subscriptions add column tracking jsonb;

-- Read by the filters of the list; sales without such values, which are most, cost nothing here.
create index transactions_tracked on transactions (account_id, id) where tracking is not null;

-- What a person's erasure takes out of events, now also where they came from.
create or replace function without_person(value jsonb) returns jsonb language plpgsql immutable as $$
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
      'user_agent', 'delivery_address', 'payer', 'consent', 'legacy', 'tracking']);
    result := result || jsonb_build_object(member.key, case
      when is_person and member.key = any(array['name', 'name_key', 'email', 'document', 'phone', 'ip']) then '"—"'
      else without_person(member.held) end);
  end loop;
  return result;
end $$;
