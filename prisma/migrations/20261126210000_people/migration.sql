-- The operator's staff have roles. Who was one of them by the boolean decides on money and on accounts, as before.
create type "StaffRole" as enum ('support', 'finance', 'admin');
drop index users_staff;
alter table users add column staff_roles "StaffRole"[] not null default '{}';
update users set staff_roles = '{finance,admin}' where operator;
alter table users drop column operator;
create index users_staff on users (id) where staff_roles <> '{}';

-- The second factor of a person: the secret, encrypted; since when it counts; the last step whose code was used; and how many
-- codes were wrong on a day, from networks that the person never signed in from and from the others.
alter table users add column sealed_totp bytea, add column totp_since timestamptz(6), add column totp_step bigint,
  add column wrong_codes integer not null default 0, add column wrong_codes_known integer not null default 0,
  add column wrong_codes_on date;
create table recovery_codes (
  user_id uuid not null,
  hash bytea not null,
  used_at timestamptz(6),
  primary key (user_id, hash),
  constraint recovery_codes_user_id_fkey foreign key (user_id) references users (id) on delete restrict on update no action
);

-- When a session proved the second factor, and when its person last proved who they are.
alter table sessions add column second_factor_at timestamptz(6), add column stepped_up_at timestamptz(6);

alter table memberships add column created_at timestamptz(6) not null default now(), add column topics text[] not null default '{}',
  add column has_chosen_topics boolean not null default false;
create index memberships_sandbox_id_idx on memberships (sandbox_id);

-- Who was invited to a seller's team. It is found by the secret of its link before an account is known.
create type "InvitationStatus" as enum ('pending', 'accepted', 'cancelled');
create table team_invitations (
  id uuid not null,
  account_id uuid not null,
  email text not null,
  role "Role" not null,
  status "InvitationStatus" not null default 'pending',
  link_hash bytea not null,
  invited_by uuid not null,
  expires_at timestamptz(6) not null,
  created_at timestamptz(6) not null default now(),
  ended_at timestamptz(6),
  primary key (account_id, id)
);
create unique index team_invitations_link_hash_key on team_invitations (link_hash);
create unique index team_invitations_open on team_invitations (account_id, email) where status = 'pending';

-- What a second person decides before it happens.
create type "ApprovalStatus" as enum ('pending', 'approved', 'rejected', 'lapsed');
create type "ApprovalKind" as enum ('refund', 'credential_scopes', 'owner_removal');
create table approvals (
  id uuid not null,
  account_id uuid not null,
  kind "ApprovalKind" not null,
  status "ApprovalStatus" not null default 'pending',
  subject_id uuid not null,
  asked jsonb not null,
  asked_by uuid not null,
  decided_by uuid,
  decided_at timestamptz(6),
  lapses_at timestamptz(6) not null,
  created_at timestamptz(6) not null default now(),
  primary key (account_id, id)
);
create index approvals_account_id_status_id_idx on approvals (account_id, status, id);
create index approvals_due on approvals (lapses_at) where status = 'pending';
alter table approvals enable row level security;
alter table approvals force row level security;
create policy tenant on approvals using (in_scope(account_id)) with check (in_scope(account_id));
alter table approvals alter column account_id set (n_distinct = 1);
alter table team_invitations alter column account_id set (n_distinct = 1);

-- Above this amount a person of the account needs a second one, in cents; null where never.
alter table accounts add column approval_above bigint;

-- From where a credential may be used (all places by default), until when, from where it was used last, which person made it,
-- and whether that person sees documents, e-mails and phones masked.
alter table credentials add column allowed_networks text[] not null default '{}', add column expires_at timestamptz(6),
  add column last_used_ip text, add column made_by uuid, add column is_masked boolean not null default false;
alter table access_tokens add column allowed_networks text[] not null default '{}',
  add column is_masked boolean not null default false;

-- A scope that moves money is named in each credential. Those that follow a role and have it keep it, because programs use it.
update credentials set scopes = '{}' where role in ('developer', 'viewer');
update credentials set scopes = '{refunds:write}' where role in ('owner', 'admin', 'finance');
