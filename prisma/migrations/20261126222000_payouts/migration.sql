-- The simulated PSP's own records: money that it sends to Pix keys, and what of it came back.
create table simulator_payouts (
  id text not null,
  key text not null,
  amount bigint not null,
  status text not null,
  reason text,
  end_to_end_id text not null,
  -- How many steps of its key it has made, and when the next one is due.
  step integer not null default 0,
  step_at timestamptz(6),
  changes integer not null default 0,
  notify_at timestamptz(6),
  attempts integer not null default 0,
  paid_at timestamptz(6),
  changed_at timestamptz(6) not null default now(),
  created_at timestamptz(6) not null default now(),
  constraint simulator_payouts_pkey primary key (id)
);
create index simulator_payouts_changed_at_id_idx on simulator_payouts (changed_at, id);
create index simulator_payouts_created_at_idx on simulator_payouts (created_at);
create index simulator_payouts_owed on simulator_payouts (notify_at) where notify_at is not null;
create index simulator_payouts_stepping on simulator_payouts (step_at) where step_at is not null;

create table simulator_payout_returns (
  id text not null,
  payout_id text not null,
  amount bigint not null,
  created_at timestamptz(6) not null default now(),
  constraint simulator_payout_returns_pkey primary key (id)
);
create index simulator_payout_returns_payout_id_idx on simulator_payout_returns (payout_id);
create index simulator_payout_returns_created_at_idx on simulator_payout_returns (created_at);
