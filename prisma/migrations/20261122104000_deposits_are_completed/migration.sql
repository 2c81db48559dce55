-- A Pix deposit is completed; settling is card money becoming available. Jobs that are in the queue under the old name
-- still have their handler (lib/jobs/registry.ts).
update outbox set name = 'deposits.complete' where name = 'deposits.settle';
