-- What somebody paused is counted and listed apart from what is suspended because it was not paid.
create index "subscriptions_paused" on "subscriptions" ("account_id", "id")
  where "status" = 'suspended' and "paused_at" is not null;
