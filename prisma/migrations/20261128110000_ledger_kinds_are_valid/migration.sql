-- Apart from the migration that made it, because here postings are written while the ledger is read.
alter table ledger_entries validate constraint ledger_entries_kind;
