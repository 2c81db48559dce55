-- The sales of a payment link, newest first; transactions_of_links has those of one status.
create index "transactions_link" on "transactions" ("account_id", "payment_link_id", "id") where "payment_link_id" is not null;
