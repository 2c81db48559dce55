-- The terms of a new account are written in lib/accounts/terms.ts alone.
alter table accounts
  alter pix_fee_fixed drop default,
  alter pix_fee_minimum drop default,
  alter card_fee_basis_points drop default,
  alter card_fee_fixed drop default,
  alter card_fee_minimum drop default,
  alter card_settlement_days drop default,
  alter storage_limit_mb drop default;
