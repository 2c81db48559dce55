-- When a mandate was authorised and when it ended, on the account's clock, and the rail's code of why it ended.
alter table mandates add column authorized_at timestamptz(6), add column cancelled_at timestamptz(6), add column cancel_reason text;

-- Nothing but a change of its status has written `updated_at` so far. When one that has ended was authorised nobody wrote down.
select set_config('app.accounts', '*', true);
update mandates set authorized_at = updated_at where status = 'approved';
update mandates set cancelled_at = updated_at where status in ('rejected', 'expired', 'cancelled');
