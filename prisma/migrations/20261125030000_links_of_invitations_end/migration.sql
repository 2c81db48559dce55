-- To whom the secret of an invitation's link was sent: whoever has the secret has proved that e-mail, while the invitation
-- is pending and for thirty days. A link of one that was answered or cancelled, or that is older, proves nothing.
create or replace function email_of_link(hash bytea) returns text language plpgsql as $$
declare
  scope text := coalesce(current_setting('app.accounts', true), '');
  found text;
begin
  perform set_config('app.accounts', '*', true);
  select email into found from plan_splits
  where link_hash = hash and status = 'pending' and invited_at > now() - interval '30 days';
  perform set_config('app.accounts', scope, true);
  return found;
end $$;
