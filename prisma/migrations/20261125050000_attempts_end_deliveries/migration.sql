-- An attempt was recorded whose delivery was not changed with it, because another transaction changed that at the same
-- moment. Each further attempt then had the number of the recorded one and failed. The delivery is now as its last attempt
-- left it: delivered, or open and to be attempted again.
select set_config('app.accounts', '*', true);

update deliveries d set attempts = last.attempt,
  status = case when last.error is null then 'delivered'::"DeliveryStatus" else d.status end,
  next_attempt_at = case when last.error is not null then d.next_attempt_at end
from (
  select distinct on (account_id, delivery_id) account_id, delivery_id, attempt, error from delivery_attempts
  order by account_id, delivery_id, attempt desc
) last
where d.account_id = last.account_id and d.id = last.delivery_id and d.attempts < last.attempt
  and d.status in ('pending', 'failed');
