-- CreateEnum
CREATE TYPE "MailStatus" AS ENUM ('pending', 'sent', 'failed', 'exhausted');

-- AlterTable
ALTER TABLE "users" ADD COLUMN "locale" TEXT NOT NULL DEFAULT 'pt-BR';

-- CreateTable
CREATE TABLE "mails" (
    "id" UUID NOT NULL,
    "account_id" UUID,
    "intent" TEXT NOT NULL,
    "template" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "mode" "Mode",
    "recipient" TEXT NOT NULL,
    "sealed_content" BYTEA,
    "status" "MailStatus" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(6),
    "claimed_by" UUID,
    "claimed_until" TIMESTAMPTZ(6),
    "error" TEXT,
    "answer" TEXT,
    "sent_by" TEXT,
    "sent_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "mails_intent_key" ON "mails"("intent");

-- CreateIndex
CREATE INDEX "mails_recipient_id_idx" ON "mails"("recipient", "id");

-- CreateIndex
CREATE INDEX "mails_account_id_created_at_idx" ON "mails"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "mails_created_at_idx" ON "mails"("created_at");

-- What is planned, by account (that of nobody for mails without one) and by when it is due. A claim walks from account to
-- account and takes the first of each, so that it costs the same however much waits for one of them.
create index "mails_due" on "mails" (
  (case when "account_id" is null then '00000000-0000-0000-0000-000000000000'::uuid else "account_id" end),
  greatest("next_attempt_at", "claimed_until")
) where "next_attempt_at" is not null;

-- The staff's list, newest first, by status.
create index "mails_pending" on "mails" ("id") where "status" = 'pending';
create index "mails_failed" on "mails" ("id") where "status" = 'failed';
create index "mails_exhausted" on "mails" ("id") where "status" = 'exhausted';
create index "mails_sent" on "mails" ("id") where "status" = 'sent';

-- Every row is changed twice soon after it was written, and purged later.
alter table "mails" set (autovacuum_vacuum_scale_factor = 0.02);

-- A mail without an account, such as a forgotten password's, may be written by anybody and is read only by who sees all.
alter table "mails" enable row level security;
alter table "mails" force row level security;
create policy tenant on "mails" using (in_scope(account_id)) with check (in_scope(account_id));
create policy of_nobody on "mails" for insert with check (account_id is null);
