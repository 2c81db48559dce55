-- From which browsers and networks a person signed in, as hashes, so that they learn of one that is new.
create table known_devices (
  user_id uuid not null,
  mark bytea not null,
  seen_at timestamptz(6) not null default now(),
  primary key (user_id, mark),
  constraint known_devices_user_id_fkey foreign key (user_id) references users (id) on delete restrict on update no action
);
create index known_devices_seen_at_idx on known_devices (seen_at);
