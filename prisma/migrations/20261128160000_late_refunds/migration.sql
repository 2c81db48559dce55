-- A callback names a refund by its id alone, and one that was written as failed may have been made after all.
create index refunds_unmade on refunds (id) where status = 'failed';
