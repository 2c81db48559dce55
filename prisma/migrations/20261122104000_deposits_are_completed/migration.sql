-- A Pix deposit is completed; settling is card money becoming available. Jobs that are in the queue already under the old
-- name stay there undone: deposits.poll promises them anew.
update outbox set name = 'deposits.complete' where name = 'deposits.settle';
