-- What a sale was made of is kept in cents, as every other amount; it was kept in reais, as V2 answers it. An event keeps
-- its sale as it was, so its record is converted too.
select set_config('app.accounts', '*', true);

create function pg_temp.items_in_cents(checkout jsonb) returns jsonb language sql immutable as $$
  select jsonb_set(checkout, '{items}', coalesce((
    select jsonb_agg(jsonb_set(item, '{amount}', to_jsonb(round((item ->> 'amount')::numeric * 100)::bigint)) order by place)
    from jsonb_array_elements(checkout -> 'items') with ordinality as items (item, place)
  ), '[]'))
$$;

update transactions set checkout = pg_temp.items_in_cents(checkout) where jsonb_typeof(checkout) = 'object';

update events set record = jsonb_set(record, '{checkout}', pg_temp.items_in_cents(record -> 'checkout'))
where subject = 'transaction' and jsonb_typeof(record -> 'checkout') = 'object';
