-- The staff's list of mails, newest first: those that an SMTP server accepted, those that only the inbox has, and the rest.
-- No predicate compares a status: what a parameter is as an enum is not known while a statement is planned, so that the
-- indexes by status were never used.
create index "mails_sent_by" on "mails" ("sent_by", "id") where "sent_by" is not null;
create index "mails_unsent" on "mails" ("id") where "sent_by" is null;
drop index "mails_pending";
drop index "mails_failed";
drop index "mails_exhausted";
drop index "mails_sent";
