-- Events that one of their consumers could not consume wait for it alone; the others have consumed them.
-- CreateTable
CREATE TABLE "outbox_of_consumers" (
    "consumer" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,

    CONSTRAINT "outbox_of_consumers_pkey" PRIMARY KEY ("consumer","account_id","event_id")
);

alter table "outbox_of_consumers" enable row level security;
alter table "outbox_of_consumers" force row level security;
create policy tenant on "outbox_of_consumers" using (in_scope(account_id)) with check (in_scope(account_id));
