-- The picked rows and the tail are both in the order of the key, so they are merged. A plan that was made while the tail was
-- empty compared each picked row with each that waits, and a fold of thousands took longer than a statement may.
alter function ledger_fold(integer) set enable_nestloop = off;
alter function ledger_fold(integer) set enable_hashjoin = off;
