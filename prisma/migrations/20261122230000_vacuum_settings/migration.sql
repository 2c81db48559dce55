-- Rows of these tables live for seconds or minutes and are many. A fifth of a table, which is when vacuum runs unless told
-- otherwise, is nothing for a queue that is nearly empty and far too much for one with a million rows.
alter table "outbox" set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_vacuum_cost_delay = 0);
