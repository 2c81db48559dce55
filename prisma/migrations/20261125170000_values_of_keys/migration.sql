-- The hash of a request's value beside that of its bytes, which processes of an earlier release compare.
alter table "idempotency_keys" add column "value_hash" bytea;
