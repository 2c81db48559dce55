-- Apart from the migration that adds the status, which cannot be used before it has committed.
create index unmatched_receipts_live_transferred on unmatched_receipts (received_at, id)
  where mode = 'live' and status = 'transferred';
create index unmatched_receipts_sandbox_transferred on unmatched_receipts (received_at, id)
  where mode = 'sandbox' and status = 'transferred';
