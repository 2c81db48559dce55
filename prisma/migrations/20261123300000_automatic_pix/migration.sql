-- AlterTable
ALTER TABLE "rail_callbacks" ADD COLUMN     "mandate_id" TEXT,
ADD COLUMN     "txid" TEXT,
ALTER COLUMN "end_to_end_id" DROP NOT NULL;

alter table "rail_callbacks" add constraint "rail_callbacks_about_one"
  check (num_nonnulls("end_to_end_id", "mandate_id", "txid") = 1);
create index "rail_callbacks_changes_due" on "rail_callbacks" ("ask_at")
  where "ask_at" is not null and "end_to_end_id" is null;

-- CreateTable
CREATE TABLE "simulator_cobs" (
    "txid" TEXT NOT NULL,
    "location" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "simulator_cobs_pkey" PRIMARY KEY ("txid")
);

-- CreateTable
CREATE TABLE "simulator_recs" (
    "id_rec" TEXT NOT NULL,
    "contract" TEXT NOT NULL,
    "location" TEXT NOT NULL,
    "first_txid" TEXT,
    "doc" JSONB NOT NULL,
    "payer" JSONB,
    "account" TEXT NOT NULL DEFAULT 'enough',
    "changes" INTEGER NOT NULL DEFAULT 0,
    "notify_at" TIMESTAMPTZ(6),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "simulator_recs_pkey" PRIMARY KEY ("id_rec")
);

-- CreateTable
CREATE TABLE "simulator_cobrs" (
    "txid" TEXT NOT NULL,
    "id_rec" TEXT NOT NULL,
    "doc" JSONB NOT NULL,
    "changes" INTEGER NOT NULL DEFAULT 0,
    "notify_at" TIMESTAMPTZ(6),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "simulator_cobrs_pkey" PRIMARY KEY ("txid")
);

-- CreateIndex
CREATE UNIQUE INDEX "simulator_cobs_location_key" ON "simulator_cobs"("location");

-- CreateIndex
CREATE INDEX "simulator_cobs_created_at_idx" ON "simulator_cobs"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "simulator_recs_contract_key" ON "simulator_recs"("contract");

-- CreateIndex
CREATE UNIQUE INDEX "simulator_recs_location_key" ON "simulator_recs"("location");

-- CreateIndex
CREATE INDEX "simulator_recs_created_at_idx" ON "simulator_recs"("created_at");

-- CreateIndex
CREATE INDEX "simulator_cobrs_id_rec_idx" ON "simulator_cobrs"("id_rec");

-- CreateIndex
CREATE INDEX "simulator_cobrs_created_at_idx" ON "simulator_cobrs"("created_at");

-- The queues of notices.
create index "simulator_recs_owed" on "simulator_recs" ("notify_at") where "notify_at" is not null;
create index "simulator_cobrs_owed" on "simulator_cobrs" ("notify_at") where "notify_at" is not null;
