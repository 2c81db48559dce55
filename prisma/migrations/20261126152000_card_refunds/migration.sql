-- The simulated acquirer's own records: money of a charge that goes back to its card.
create table simulator_card_refunds (
  id uuid not null,
  charge_id uuid not null,
  amount bigint not null,
  created_at timestamptz(6) not null default now(),
  constraint simulator_card_refunds_pkey primary key (id)
);
create index simulator_card_refunds_charge_id_idx on simulator_card_refunds (charge_id);
create index simulator_card_refunds_created_at_idx on simulator_card_refunds (created_at);
