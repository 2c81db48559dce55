alter table earnings add column returned_amount bigint not null default 0;
alter table earning_totals add column returned_amount bigint not null default 0;
