-- Of a sandbox that was reset: whose it was. Another account is that now.
alter table accounts add column former_twin_id uuid;

-- What others share with a recipient goes on with the account that takes its place. The rows are of their plans, which
-- neither of the two accounts may write.
create function move_recipient(former uuid, present uuid) returns void language plpgsql as $$
declare
  scope text := coalesce(current_setting('app.accounts', true), '');
begin
  perform set_config('app.accounts', '*', true);
  update plan_splits set recipient_id = present where recipient_id = former;
  perform set_config('app.accounts', scope, true);
end $$;
