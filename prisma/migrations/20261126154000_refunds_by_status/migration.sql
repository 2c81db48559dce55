-- The list of one status in the order of its ids. They are partial, because under row-level security no comparison of an
-- enum is a condition on an index.
create index refunds_pending on refunds (account_id, id) where status = 'pending';
create index refunds_approved on refunds (account_id, id) where status = 'approved';
create index refunds_processing on refunds (account_id, id) where status = 'processing';
create index refunds_completed on refunds (account_id, id) where status = 'completed';
create index refunds_rejected on refunds (account_id, id) where status = 'rejected';
create index refunds_failed on refunds (account_id, id) where status = 'failed';
create index refunds_cancelled on refunds (account_id, id) where status = 'cancelled';
