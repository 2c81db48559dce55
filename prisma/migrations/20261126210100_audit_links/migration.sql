-- The chain of each account's events: a row for each, in the order in which they were linked, which is that of their
-- commits. lib/audit-log/link-events.ts says what each hash is of. Only audit_link writes it.
create table audit_links (
  account_id uuid not null,
  sequence bigint not null,
  event_id uuid not null,
  salt uuid,
  digest bytea not null,
  hash bytea not null,
  constraint audit_links_pkey primary key (account_id, sequence)
);
create unique index audit_links_account_id_event_id_key on audit_links (account_id, event_id);
alter table audit_links alter column account_id set (n_distinct = 1);

-- What was published of each chain: up to which link it was verified, and that link's hash. A publication's root is one
-- digest of the latest mark of every account, so that whoever has it in a mail finds out a chain that was written anew.
create table audit_publications (
  id uuid not null,
  root bytea not null,
  accounts integer not null,
  links bigint not null,
  faults integer not null,
  published_at timestamptz(6) not null,
  constraint audit_publications_pkey primary key (id)
);
create table audit_marks (
  account_id uuid not null,
  sequence bigint not null,
  hash bytea not null,
  publication_id uuid not null,
  constraint audit_marks_pkey primary key (account_id, sequence)
);
alter table audit_marks alter column account_id set (n_distinct = 1);
create index audit_marks_publication_id_idx on audit_marks (publication_id);

-- For every role. Only the salt of a link may go: that is how the content of an event is given up (lib/audit-log/link-events.ts).
create trigger append_only before update of account_id, sequence, event_id, digest, hash or delete on audit_links
  for each row execute function refuse_change();
create trigger never_truncated before truncate on audit_links for each statement execute function refuse_change();
create trigger append_only before update or delete on audit_publications for each row execute function refuse_change();
create trigger never_truncated before truncate on audit_publications for each statement execute function refuse_change();
create trigger append_only before update or delete on audit_marks for each row execute function refuse_change();
create trigger never_truncated before truncate on audit_marks for each statement execute function refuse_change();

alter table audit_links enable row level security;
alter table audit_links force row level security;
create policy tenant on audit_links using (in_scope(account_id)) with check (in_scope(account_id));
alter table audit_marks enable row level security;
alter table audit_marks force row level security;
create policy tenant on audit_marks using (in_scope(account_id)) with check (in_scope(account_id));

-- Links events that have none yet to the chains of their accounts, each account's in the order of the ids, after those that
-- are linked. It reads the events itself, so that nobody gives it hashes. One transaction at a time links an account's:
-- events of an account that another one links are not waited for, and returned.
create function audit_link(accounts uuid[], ids uuid[]) returns table (busy_account_id uuid, busy_event_id uuid)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  outsider uuid;
  free uuid[];
  event record;
  here uuid;
  place bigint;
  last bytea;
  to_accounts uuid[] := '{}';
  to_places bigint[] := '{}';
  to_events uuid[] := '{}';
  to_salts uuid[] := '{}';
  to_digests bytea[] := '{}';
  to_hashes bytea[] := '{}';
begin
  if current_setting('app.accounts', true) is distinct from '*' then
    select account into outsider from unnest(accounts) account where not coalesce(in_scope(account), false) limit 1;
    if found then
      raise exception 'account % is not in scope', outsider using errcode = 'insufficient_privilege';
    end if;
  end if;
  select coalesce(array_agg(account), '{}') into free
  from (select distinct account from unnest(accounts) account offset 0) named
  where pg_try_advisory_xact_lock(hashtextextended('audit:' || account, 0));

  for event in
    select e.account_id, e.id, e.salt, d.digest,
      uuid_send(e.account_id) || uuid_send(e.id) || uuid_send(e.subject_id) || timestamptz_send(e.occurred_at) || d.digest
        || convert_to(e.type, 'UTF8') || '\x00' || convert_to(e.subject, 'UTF8') || '\x00'
        || coalesce(convert_to(e.request_id::text, 'UTF8'), '') || '\x00'
        || coalesce(convert_to(e.actor ->> 'kind', 'UTF8'), '') || '\x00'
        || coalesce(convert_to(e.actor ->> 'id', 'UTF8'), '') as written
    from unnest(accounts, ids) as given(account_id, id)
    cross join lateral (
      select *, gen_random_uuid() as salt from events
      where account_id = given.account_id and id = given.id offset 0
    ) e
    cross join lateral (
      select sha256(uuid_send(e.salt) || convert_to(
        e.data::text || E'\n' || e.record::text || E'\n' || coalesce(e.actor::text, ''), 'UTF8')) as digest offset 0
    ) d
    left join lateral (
      select true as is_linked from audit_links where account_id = given.account_id and event_id = given.id offset 0
    ) known on true
    where given.account_id = any(free) and known.is_linked is null
    order by e.account_id, e.id
  loop
    if here is distinct from event.account_id then
      here := event.account_id;
      select l.sequence, l.hash into place, last from audit_links l
      where l.account_id = here order by l.sequence desc limit 1;
      place := coalesce(place, 0);
      last := coalesce(last, '\x');
    end if;
    place := place + 1;
    last := sha256(last || event.written);
    to_accounts := to_accounts || here;
    to_places := to_places || place;
    to_events := to_events || event.id;
    to_salts := to_salts || event.salt;
    to_digests := to_digests || event.digest;
    to_hashes := to_hashes || last;
  end loop;
  insert into audit_links (account_id, sequence, event_id, salt, digest, hash)
  select * from unnest(to_accounts, to_places, to_events, to_salts, to_digests, to_hashes);

  return query select account, id from unnest(accounts, ids) as g(account, id) where account <> all(free);
end $$;
revoke execute on function audit_link(uuid[], uuid[]) from public;

-- After which event a walk over the events of all accounts goes on. What happened before this migration is linked by a loop
-- (lib/audit-log/link-past.ts), because millions of events in one statement would keep the upgrade waiting. The owner too sees
-- rows only when it names accounts.
create table audit_walks (
  name text not null,
  account_id uuid not null,
  event_id uuid not null,
  constraint audit_walks_pkey primary key (name)
);
select set_config('app.accounts', '*', true);
insert into audit_walks (name, account_id, event_id)
select 'link', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'
where exists (select from events);
select set_config('app.accounts', '', true);

-- What people and the operator's staff did is found among the many events of sales. Sales are in neither index, so that
-- these cost their way nothing. The second is partial, because under row-level security no comparison of a member of JSON is
-- a condition on an index.
create index events_of_subject on events (account_id, subject, id) where subject <> 'transaction';
create index events_of_people on events (account_id, id) where actor ->> 'kind' in ('person', 'staff');
