-- CreateEnum
CREATE TYPE "LinkKind" AS ENUM ('sign_up', 'confirm_address', 'reset_password');

-- CreateTable
CREATE TABLE "mail_links" (
    "id" UUID NOT NULL,
    "kind" "LinkKind" NOT NULL,
    "email" TEXT NOT NULL,
    "asked_from" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "company" TEXT,
    "document" TEXT,
    "name" TEXT,
    "password_hash" TEXT,
    "mail_due_at" TIMESTAMPTZ(6),
    "link_hash" BYTEA,
    "expires_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT "mail_links_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "mail_links_link_hash_key" ON "mail_links"("link_hash");

-- CreateIndex
CREATE INDEX "mail_links_email_kind_created_at_idx" ON "mail_links"("email", "kind", "created_at");

-- CreateIndex
CREATE INDEX "mail_links_created_at_idx" ON "mail_links"("created_at");

-- What still needs its mail; a queue, so it is vacuumed early.
create index "mail_links_due" on "mail_links" ("mail_due_at") where "mail_due_at" is not null;
alter table "mail_links" set (autovacuum_vacuum_scale_factor = 0.02);
