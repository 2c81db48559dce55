-- These columns hold ids of sales, and say so.
alter table cycles rename column code_id to code_sale_id;
alter table cycles rename column charging_id to charging_sale_id;
alter table cycles rename column debit_id to failed_debit_sale_id;
