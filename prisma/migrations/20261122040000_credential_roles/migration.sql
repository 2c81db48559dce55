-- AlterTable
ALTER TABLE "credentials" ADD COLUMN     "role" "Role";

-- A credential that had every scope of its time was made by an owner, for no seller had another member yet, and follows
-- the owner's role from now on. The scopes of cards came with their migration: one made before it lacks them.
do $$
declare cards_came timestamptz := '-infinity';
begin
  if to_regclass('_prisma_migrations') is not null then
    select coalesce(min(finished_at), '-infinity') into cards_came
      from _prisma_migrations where migration_name = '20261121000000_cards';
  end if;
  update credentials set role = 'owner'
  where scopes @> array['balance:read', 'profile:read', 'transactions:read', 'transactions:write', 'credentials:read',
      'credentials:write', 'webhooks:read', 'webhooks:write', 'sandbox:write']
    and (created_at < cards_came or scopes @> array['cards:read', 'cards:write']);
end $$;
