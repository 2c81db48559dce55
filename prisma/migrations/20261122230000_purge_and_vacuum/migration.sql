-- What is deleted by its age is found by an index in the order of its age. A BRIN index finds it only until the space of
-- deleted rows is used again: from then on each of its ranges contains an old value, and it reads the whole table.
-- DropIndex
DROP INDEX "card_charges_created_at_idx";
DROP INDEX "deliveries_created_at_idx";
DROP INDEX "delivery_attempts_created_at_idx";
DROP INDEX "delivery_bodies_created_at_idx";
DROP INDEX "idempotency_keys_created_at_idx";
DROP INDEX "rail_callbacks_received_at_idx";
DROP INDEX "rail_calls_created_at_idx";
DROP INDEX "request_log_created_at_idx";

-- CreateIndex
CREATE INDEX "account_storage_day_idx" ON "account_storage"("day");
CREATE INDEX "card_charges_created_at_idx" ON "card_charges"("created_at");
CREATE INDEX "deliveries_created_at_idx" ON "deliveries"("created_at");
CREATE INDEX "delivery_attempts_created_at_idx" ON "delivery_attempts"("created_at");
CREATE INDEX "delivery_bodies_created_at_idx" ON "delivery_bodies"("created_at");
CREATE INDEX "idempotency_keys_created_at_idx" ON "idempotency_keys"("created_at");
CREATE INDEX "rail_calls_created_at_idx" ON "rail_calls"("created_at");
CREATE INDEX "request_log_created_at_idx" ON "request_log"("created_at");
create index "rail_callbacks_done" on "rail_callbacks" ("received_at") where "ask_at" is null;

-- Rows of these tables live for seconds, so nearly all that was written is dead: it is cleaned up after so many dead rows,
-- however large the table is, and without pauses.
alter table "outbox" set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0);
alter table "ledger_tail" set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0);
alter table "rate_limits" set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_cost_delay = 0);

-- Every row of these is changed once or twice soon after it was written, or purged later. They are cleaned up when a
-- fiftieth is dead, not a fifth.
alter table "transactions" set (autovacuum_vacuum_scale_factor = 0.02);
alter table "rail_callbacks" set (autovacuum_vacuum_scale_factor = 0.02);
alter table "simulator_pix" set (autovacuum_vacuum_scale_factor = 0.02);
alter table "deliveries" set (autovacuum_vacuum_scale_factor = 0.02);
alter table "idempotency_keys" set (autovacuum_vacuum_scale_factor = 0.02);
alter table "request_log" set (autovacuum_vacuum_scale_factor = 0.02);
alter table "delivery_bodies" set (autovacuum_vacuum_scale_factor = 0.02);
alter table "delivery_attempts" set (autovacuum_vacuum_scale_factor = 0.02);

-- The same few rows of these are changed again and again, in place as long as their pages have room.
alter table "ledger_snapshots" set (fillfactor = 50);
alter table "rollups" set (fillfactor = 50);
