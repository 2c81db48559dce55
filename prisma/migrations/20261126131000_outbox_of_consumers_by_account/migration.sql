-- The primary key begins with the account, as of every table of accounts. A consumer finds what waits for it by an index.
alter table "outbox_of_consumers" drop constraint "outbox_of_consumers_pkey",
  add constraint "outbox_of_consumers_pkey" primary key ("account_id", "event_id", "consumer");
create index "outbox_of_consumers_consumer_account_id_event_id_idx"
  on "outbox_of_consumers" ("consumer", "account_id", "event_id");
