-- A provider names a call by its id alone. What is open is few.
create index "calls_open_ids" on "calls" ("id") where "done_at" is null;
