-- What is due is read in order, each batch from where the one before ended, so a tie has an order too: the charges of a
-- day may all expire at one instant. The card sales of a sandbox whose clock runs ahead are read by account; its open
-- deposits are found by the index of accounts and statuses.
drop index "transactions_due", "transactions_to_settle";
create index "transactions_due" on "transactions" ("expires_at", "id")
  where "status" = 'pending' and "expires_at" is not null;
create index "transactions_to_settle" on "transactions" ("settle_at", "id")
  where "settled_at" is null and "status" = 'completed' and "method" = 'card';
create index "transactions_to_settle_of_account" on "transactions" ("account_id")
  where "settled_at" is null and "status" = 'completed' and "method" = 'card';
