-- CreateTable
CREATE TABLE "clock_advances" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "target" TIMESTAMPTZ(6) NOT NULL,
    "processed" INTEGER NOT NULL DEFAULT 0,
    "claimed_until" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),
    "done_at" TIMESTAMPTZ(6),

    CONSTRAINT "clock_advances_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "clock_advances_created_at_idx" ON "clock_advances"("created_at");

-- One at a time for each account.
create unique index "clock_advances_running" on "clock_advances" ("account_id") where "done_at" is null;
create index "clock_advances_due" on "clock_advances" ("claimed_until") where "done_at" is null;

alter table "clock_advances" enable row level security;
alter table "clock_advances" force row level security;
create policy tenant on "clock_advances" using (in_scope(account_id)) with check (in_scope(account_id));
