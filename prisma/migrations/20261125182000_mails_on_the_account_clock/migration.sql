-- When a mail was written by its account's clock, which a timeline shows; null of what no account's clock brought about.
alter table "mails" add column "occurred_at" timestamptz(6);
