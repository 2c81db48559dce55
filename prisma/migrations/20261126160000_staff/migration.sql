-- The operator's staff are few among all users, and are read where a mail is written to them.
create index users_staff on users (id) where operator;
