-- What a PSP received without a sale, and what it sent of us.
create index unmatched_receipts_received on unmatched_receipts (provider, received_at);
create index withdrawals_sent on withdrawals (provider, sent_at) where sent_at is not null;
