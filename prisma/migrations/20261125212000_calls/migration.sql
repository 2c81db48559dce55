-- One table of calls to the outside. A call is written, sent, perhaps accepted, and done; what is not sent yet was in two
-- tables of its own: cards that wait to be charged, and what a rail is to be asked about debits and mandates.
alter table "rail_calls" rename to "calls";
alter table "calls" rename constraint "rail_calls_pkey" to "calls_pkey";
alter index "rail_calls_created_at_idx" rename to "calls_created_at_idx";
alter table "calls" rename column "ask_at" to "due_at";
alter table "calls" rename column "answered_at" to "done_at";
alter table "calls" alter column "due_at" set default now(),
  add column "input" jsonb,
  add column "attempts" integer not null default 0,
  add column "sent_at" timestamptz(6),
  add column "accepted_at" timestamptz(6);

-- What is due, by the provider and the kind, so that none holds back another one's.
drop index "rail_calls_to_ask";
create index "calls_due" on "calls" ("provider", "kind", "due_at") where "done_at" is null;
-- What is written or awaited of one account, whose clock waits for it.
create index "calls_open" on "calls" ("account_id") where "done_at" is null;

do $$
begin
  perform set_config('app.accounts', '*', true);
  update calls set sent_at = created_at;

  -- A card's charge is asked of the acquirer that accounts of this mode have.
  insert into calls (account_id, id, kind, provider, created_at)
    select w.account_id, w.transaction_id, 'cycle_charge', case a.mode when 'live' then 'cielo' else 'simulator' end,
      w.created_at
    from waiting_charges w join accounts a on a.id = w.account_id
    on conflict do nothing;

  -- Each order is a call of its own, which names the debit's sale or the mandate.
  insert into calls (account_id, id, kind, provider, input, due_at, attempts, created_at)
    select o.account_id, gen_random_uuid(),
      case o.kind when 'instruct' then 'instruct_debit' when 'retry' then 'retry_debit' when 'cancel' then 'cancel_debit'
        else o.kind::text end,
      m.provider,
      case when t.id is null then jsonb_build_object('mandateId', o.id)
        else jsonb_strip_nulls(jsonb_build_object('saleId', o.id, 'day', o.day)) end,
      o.ask_at, o.attempts, o.created_at
    from debit_orders o
    left join transactions t on t.account_id = o.account_id and t.id = o.id
    left join subscriptions s on s.account_id = t.account_id and s.id = t.subscription_id
    join mandates m on m.account_id = o.account_id and m.id = coalesce(s.mandate_id, o.id);
end $$;

drop table "waiting_charges";
drop table "debit_orders";
drop type "DebitOrderKind";
