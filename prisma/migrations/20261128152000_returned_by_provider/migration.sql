-- The few payments of which something went back.
create index transactions_returned on transactions (provider, paid_at) where refunded_amount > 0;
