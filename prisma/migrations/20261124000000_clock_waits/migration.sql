-- Since when a clock waits at an instant for what was asked of the outside, so that it waits without holding up others.
alter table "clock_advances" add column "waiting_since" timestamptz(6);
