-- What the operator's staff has to review, of all accounts. Under row-level security no comparison of an enum is a condition on
-- an index, so each mode has its own.
drop index refunds_in_review;
create index refunds_in_review_live on refunds (id) where status = 'pending' and mode = 'live';
create index refunds_in_review_sandbox on refunds (id) where status = 'pending' and mode = 'sandbox';

-- The refunds of a sale in the order of their ids, and those that hold or have spent what they took.
drop index refunds_account_id_transaction_id_idx;
create index refunds_of_sale on refunds (account_id, transaction_id, id);
create index refunds_kept on refunds (account_id, transaction_id) where status not in ('rejected', 'cancelled', 'failed');
