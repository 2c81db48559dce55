-- Which migrations this database has, for a process that compares them with those of its build. The program has no right
-- to Prisma's table itself, which also holds logs. In plpgsql the table is looked for at a call and not now, because
-- Prisma's own commands try migrations in a database without it.
create function applied_migrations() returns text[]
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return (
    select array_agg(migration_name::text order by migration_name) from _prisma_migrations
    where finished_at is not null and rolled_back_at is null
  );
end
$$;

revoke execute on function applied_migrations() from public;
