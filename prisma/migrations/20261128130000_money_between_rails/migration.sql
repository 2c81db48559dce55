-- Money that the operator moved from one PSP to another arrives as a Pix of nobody, and is none.
alter type "UnmatchedStatus" add value 'transferred';
alter table unmatched_receipts add column from_provider text;

-- Payouts may leave by another PSP than codes come from.
alter table pix_providers add column is_payout_default boolean not null default false;
create unique index pix_providers_payout_default on pix_providers (is_payout_default) where is_payout_default;
