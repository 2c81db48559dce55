-- Plans are made as if one account owned all rows of a table. From the statistics of many small accounts the planner takes
-- account_id for as good as a key, reads by another index that begins with it, and keeps that plan for an account that has a
-- million rows.
do $$
declare
  planned record;
begin
  for planned in
    select c.oid::regclass as name from pg_class c
    join pg_index i on i.indrelid = c.oid and i.indisprimary
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] and a.attname = 'account_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and i.indnkeyatts > 1
  loop
    execute format('alter table %s alter column account_id set (n_distinct = 1)', planned.name);
  end loop;
end $$;
