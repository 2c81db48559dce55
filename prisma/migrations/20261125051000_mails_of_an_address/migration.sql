-- CreateIndex
CREATE INDEX "mails_recipient_template_created_at_idx" ON "mails"("recipient", "template", "created_at");

-- How many mails of a template an address was written in the last day, by all live accounts together, up to a number.
create function mails_today(address text, named text, at_most int) returns int language plpgsql as $$
declare
  scope text := coalesce(current_setting('app.accounts', true), '');
  found int;
begin
  perform set_config('app.accounts', '*', true);
  select count(*) into found from (
    select from mails where recipient = address and template = named and created_at > now() - interval '1 day'
      and mode = 'live' and error is distinct from 'daily_limit' limit at_most
  ) today;
  perform set_config('app.accounts', scope, true);
  return found;
end $$;

drop function split_mails_today(text, int);
