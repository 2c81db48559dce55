-- How many mails about splits an address was sent in the last day, by all accounts together: anybody may invite anybody.
create function split_mails_today(address text, at_most int) returns int language plpgsql as $$
declare
  scope text := coalesce(current_setting('app.accounts', true), '');
  found int;
begin
  perform set_config('app.accounts', '*', true);
  select count(*) into found from (
    select from mails where recipient = address and template like 'split_%' and created_at > now() - interval '1 day'
      and status <> 'exhausted' limit at_most
  ) today;
  perform set_config('app.accounts', scope, true);
  return found;
end $$;
