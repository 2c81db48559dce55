-- A sale is known by how it is paid, and a withdrawal is no sale. The two indexes that name the type go first.
drop index "transactions_end_to_end_id", "transactions_to_settle";

-- AlterTable
ALTER TABLE "transactions" DROP COLUMN "type";

-- DropEnum
DROP TYPE "TransactionType";

-- A payment pays one sale.
create unique index "transactions_end_to_end_id" on "transactions" ("end_to_end_id") where "end_to_end_id" is not null;
-- Card sales whose money is not available yet, for the sweep that settles them.
create index "transactions_to_settle" on "transactions" ("settle_at") where "settled_at" is null and "status" = 'completed' and "method" = 'card';
