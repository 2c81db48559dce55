-- The jobs that the release before left in its queue become rows, which are the queue now. The queue's schema belongs to
-- the program's role, and is not there before the first start.
select set_config('app.accounts', '*', true);
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is null then
    return;
  end if;
  create temporary table left_jobs on commit drop as
    select j.id, t.identifier as name, j.payload
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier in ('deposits.complete', 'deposits.settle', 'webhooks.dispatch', 'simulator.notify',
      'retention.purge', 'webhooks.deliver', 'webhooks.wake');

  insert into outbox (account_id, event_id)
  select distinct e.account_id, e.id
  from left_jobs l
  join events e on e.account_id = (l.payload ->> 'accountId')::uuid and e.id = (l.payload ->> 'eventId')::uuid
  where l.name = 'webhooks.dispatch'
    and not exists (select from deliveries d where d.account_id = e.account_id and d.event_id = e.id)
  on conflict do nothing;

  insert into rail_callbacks (provider, event_id, end_to_end_id, payload, ask_at)
  select distinct l.payload ->> 'provider', 'left:' || (l.payload ->> 'endToEndId'), l.payload ->> 'endToEndId',
    '{}'::jsonb, now()
  from left_jobs l
  where l.name in ('deposits.complete', 'deposits.settle') and l.payload ->> 'provider' is not null
    and l.payload ->> 'endToEndId' is not null
  on conflict do nothing;

  delete from graphile_worker._private_jobs where id in (select id from left_jobs);
  delete from graphile_worker._private_job_queues q
  where not exists (select from graphile_worker._private_jobs j where j.job_queue_id = q.id);
end $$;
