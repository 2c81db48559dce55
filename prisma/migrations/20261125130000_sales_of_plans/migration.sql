-- The sales of a plan, newest first. Those of a subscription are found by its cycles, those of a person by the document.
create index "transactions_plan" on "transactions" ("account_id", "plan_id", "id") where "plan_id" is not null;
