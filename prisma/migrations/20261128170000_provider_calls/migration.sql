-- How long a provider that had too many calls is left alone, by all processes.
create table provider_pauses (
  provider text not null,
  paused_at timestamptz(6) not null default now(),
  length_ms int not null,
  constraint provider_pauses_pkey primary key (provider)
);

-- A token's row has the provider's name and its credential's hash for a name. One whose credential was refused is not asked for at once.
alter table provider_tokens add column refused_until timestamptz(6);

-- How much of a provider's only its callbacks have named is counted for each of them.
create index watches_of_callbacks on watches (provider) where ends_at is not null and ask_at is not null;
