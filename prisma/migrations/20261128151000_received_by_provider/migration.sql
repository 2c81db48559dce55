-- What a PSP received within a time, whosever it is. Each large index is a migration of its own, so that writers wait for one.
create index transactions_received on transactions (provider, paid_at) where end_to_end_id is not null;
