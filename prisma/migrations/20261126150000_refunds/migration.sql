create type "RefundStatus" as enum ('pending', 'approved', 'processing', 'completed', 'rejected', 'failed', 'cancelled');
create type "RefundReason" as enum ('buyer_withdrawal', 'product_not_delivered', 'product_defective', 'duplicate_charge', 'fraud', 'other');
create type "RejectionCategory" as enum ('insufficient_documentation', 'outside_policy', 'already_refunded', 'suspected_fraud', 'other');
create type "SubscriptionEnd" as enum ('now', 'period_end');

alter table accounts add column refund_fee bigint not null default 0;
alter table transactions add column refunded_amount bigint not null default 0, add column refunded_at timestamptz(6);

create table refunds (
  id uuid not null,
  account_id uuid not null,
  mode "Mode" not null,
  transaction_id uuid not null,
  status "RefundStatus" not null default 'pending',
  amount bigint not null,
  fee bigint not null,
  pending_amount bigint not null,
  held_shares bigint not null default 0,
  reason "RefundReason" not null,
  reason_details text,
  cancel_subscription "SubscriptionEnd",
  rejection_category "RejectionCategory",
  rejection_reason text,
  provider_receipt jsonb,
  approved_at timestamptz(6),
  executed_at timestamptz(6),
  rejected_at timestamptz(6),
  completed_at timestamptz(6),
  cancelled_at timestamptz(6),
  created_at timestamptz(6) not null,
  updated_at timestamptz(6) not null,
  constraint refunds_pkey primary key (account_id, id),
  constraint refunds_account_id_transaction_id_fkey foreign key (account_id, transaction_id)
    references transactions (account_id, id) on delete restrict on update restrict
);
create index refunds_account_id_transaction_id_idx on refunds (account_id, transaction_id);
-- A sale has one refund at most that has not ended.
create unique index refunds_open on refunds (account_id, transaction_id) where status in ('pending', 'approved', 'processing');
-- What the operator's staff has to review, of all accounts of a mode.
create index refunds_in_review on refunds (mode, id) where status = 'pending';

create table refund_shares (
  id uuid not null,
  account_id uuid not null,
  refund_id uuid not null,
  share_id uuid not null,
  recipient_id uuid not null,
  amount bigint not null,
  is_held boolean not null,
  constraint refund_shares_pkey primary key (account_id, id),
  constraint refund_shares_account_id_refund_id_fkey foreign key (account_id, refund_id)
    references refunds (account_id, id) on delete restrict on update restrict
);
create index refund_shares_account_id_refund_id_idx on refund_shares (account_id, refund_id);

alter table refunds enable row level security;
alter table refunds force row level security;
create policy tenant on refunds using (in_scope(account_id)) with check (in_scope(account_id));
alter table refund_shares enable row level security;
alter table refund_shares force row level security;
create policy tenant on refund_shares using (in_scope(account_id)) with check (in_scope(account_id));
