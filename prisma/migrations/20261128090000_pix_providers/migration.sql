-- PSPs that speak the Central Bank's API Pix, as the operator's staff has connected them. What they gave us is sealed.
create table pix_providers (
  id uuid not null,
  name text not null,
  title text not null,
  is_default boolean not null default false,
  sealed_settings bytea not null,
  created_at timestamptz(6) not null default now(),
  changed_at timestamptz(6) not null default now(),
  constraint pix_providers_pkey primary key (id)
);
create unique index pix_providers_name_key on pix_providers (name);
create unique index pix_providers_default on pix_providers (is_default) where is_default;

-- Which rail received a Pix: what goes back to its payer goes the same way, also after another rail is in use.
alter table transactions add column provider text;

-- What each rail holds of the platform's money stands under a kind of its own, such as clearing:efi.
alter table ledger_entries drop constraint ledger_entries_kind, add constraint ledger_entries_kind check (kind in (
  'available', 'pending', 'blocked', 'held', 'fees', 'unmatched', 'clearing', 'card_clearing', 'demo'
) or kind ~ '^(clearing|card_clearing):[a-z][a-z0-9-]{1,29}$') not valid;
