-- What each comparison of all money found, and when.
create table reconcile_runs (
  id uuid not null,
  started_at timestamptz(6) not null,
  ended_at timestamptz(6) not null,
  findings int not null,
  faults jsonb not null,
  failure text,
  primary key (id)
);

-- The platform's fees of a period: those of sales by their counts, the others, which are few, by their entries.
create index rollups_paid on rollups (day, account_id) where basis = 'paid' and day > '-infinity';
create index ledger_entries_other_fees on ledger_entries (created_at)
  where kind = 'fees' and type not in ('deposit_completed', 'card_completed');

-- The requests of a period that were refused.
create index request_log_refused on request_log (created_at) where error is not null and status < 500;
