-- A charge is in time until its due day ends. Open codes that were made before that rule may end when that day begins: they
-- are valid on it now. Any other open code keeps the end that its payer knows.
select set_config('app.accounts', '*', true);

with prolonged as (
  update cycles c set
    expires_at = (date_trunc('day', c.due_at at time zone a.time_zone) + interval '1 day') at time zone a.time_zone
  from accounts a
  where a.id = c.account_id and c.status = 'pending' and c.kind = 'cycle' and c.expires_at <= c.due_at
  returning c.account_id, c.code_id, c.expires_at
)
update transactions t set expires_at = p.expires_at from prolonged p
where t.account_id = p.account_id and t.id = p.code_id and t.status = 'pending';
