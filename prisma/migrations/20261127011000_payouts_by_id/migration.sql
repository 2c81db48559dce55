-- Which account's withdrawal a payout of a rail is, which names it by our id alone.
create index withdrawals_id_idx on withdrawals (id);
