-- The simulated PSP's own records: money of a payment that goes back to its payer (devolução).
create table simulator_devolucoes (
  id text not null,
  end_to_end_id text not null,
  amount bigint not null,
  status text not null,
  reason text,
  return_id text not null,
  changes integer not null default 0,
  notify_at timestamptz(6),
  attempts integer not null default 0,
  created_at timestamptz(6) not null default now(),
  constraint simulator_devolucoes_pkey primary key (id)
);
create index simulator_devolucoes_end_to_end_id_idx on simulator_devolucoes (end_to_end_id);
create index simulator_devolucoes_created_at_idx on simulator_devolucoes (created_at);
create index simulator_devolucoes_owed on simulator_devolucoes (notify_at) where notify_at is not null;
