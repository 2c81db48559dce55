-- What a seller says of its own account, what the operator reviews of it, and accounts that are closed.
alter type "AccountStatus" add value 'closed';

create type "PayerPolicy" as enum ('accept', 'flag', 'return');

alter table "accounts"
  add column "support_email" text,
  add column "support_phone" text,
  add column "image_id" text,
  add column "review_asked_at" timestamptz(6),
  add column "payer_policy" "PayerPolicy" not null default 'accept';

create table "account_images" (
  "account_id" uuid not null,
  "id" text not null,
  "content_type" text not null,
  "bytes" bytea not null,
  "created_at" timestamptz(6) not null,
  constraint "account_images_pkey" primary key ("account_id"),
  constraint "account_images_type" check ("content_type" in ('image/png', 'image/jpeg', 'image/webp')),
  constraint "account_images_size" check (octet_length("bytes") <= 1000000)
);
create unique index "account_images_id_key" on "account_images"("id");
alter table "account_images" enable row level security;
alter table "account_images" force row level security;
create policy tenant on "account_images" using (in_scope(account_id)) with check (in_scope(account_id));

-- An anonymous visitor has a picture's id and knows no account: this finds the picture, a product's or an account's, and
-- names its account for the rest of the transaction, or none.
drop function image_in_scope(text);
create function image_in_scope(image text) returns table (account_id uuid, content_type text, bytes bytea) language plpgsql as $$
declare
  one record;
begin
  perform set_config('app.accounts', '*', true);
  select p.account_id, p.content_type, p.bytes into one from product_images p where p.id = image;
  if not found then
    select a.account_id, a.content_type, a.bytes into one from account_images a where a.id = image;
  end if;
  perform set_config('app.accounts', coalesce(one.account_id::text, ''), true);
  if one.account_id is not null then
    return query select one.account_id, one.content_type, one.bytes;
  end if;
end $$;

create type "DocumentKind" as enum ('company', 'representative', 'address');
create type "DocumentStatus" as enum ('sent', 'accepted', 'refused');
create table "account_documents" (
  "account_id" uuid not null,
  "id" uuid not null,
  "kind" "DocumentKind" not null,
  "status" "DocumentStatus" not null default 'sent',
  "reason" text,
  "content_type" text not null,
  "size" integer not null,
  "wrapped_key" bytea not null,
  "bytes" bytea not null,
  "created_at" timestamptz(6) not null,
  "decided_at" timestamptz(6),
  "account_closed_at" timestamptz(6),
  constraint "account_documents_pkey" primary key ("account_id", "id"),
  constraint "account_documents_type" check ("content_type" in ('application/pdf', 'image/jpeg', 'image/png')),
  constraint "account_documents_size" check (octet_length("bytes") <= 4001000),
  constraint "account_documents_reason" check (("reason" is not null) = ("status" = 'refused'))
);
create index "account_documents_refused" on "account_documents"("decided_at") where status = 'refused';
create index "account_documents_closed" on "account_documents"("account_closed_at") where account_closed_at is not null;
create unique index "account_documents_waiting" on "account_documents"("account_id", "kind") where status = 'sent';
alter table "account_documents" alter column account_id set (n_distinct = 1);
alter table "account_documents" enable row level security;
alter table "account_documents" force row level security;
create policy tenant on "account_documents" using (in_scope(account_id)) with check (in_scope(account_id));

create type "ProfileRequestStatus" as enum ('pending', 'approved', 'rejected', 'cancelled');
create table "profile_requests" (
  "account_id" uuid not null,
  "id" uuid not null,
  "status" "ProfileRequestStatus" not null default 'pending',
  "name" text,
  "document" text,
  "legal_representative" jsonb,
  "reason" text,
  "created_at" timestamptz(6) not null,
  "ended_at" timestamptz(6),
  constraint "profile_requests_pkey" primary key ("account_id", "id"),
  constraint "profile_requests_reason" check (("reason" is not null) = ("status" = 'rejected'))
);
create unique index "profile_requests_open" on "profile_requests"("account_id") where status = 'pending';
create index "profile_requests_queue" on "profile_requests"("id") where status = 'pending';
alter table "profile_requests" alter column account_id set (n_distinct = 1);
alter table "profile_requests" enable row level security;
alter table "profile_requests" force row level security;
create policy tenant on "profile_requests" using (in_scope(account_id)) with check (in_scope(account_id));
