-- A callback names a refund or a return by its id alone, and one that was written as failed may have been made after all.
create index refunds_unmade on refunds (id) where status = 'failed';
create index unmatched_receipts_unmade on unmatched_receipts (return_id) where return_id is not null;

-- A refusal proves nothing shortly after a repeatable call was sent, which counts from the last time.
alter table calls add column asked_at timestamptz(6);
