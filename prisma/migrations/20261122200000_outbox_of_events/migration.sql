-- The outbox names the events that nobody has acted on yet. Its key leads with the account, so that accounts take turns.
select set_config('app.accounts', '*', true);
alter table "outbox" rename to "outbox_of_jobs";
alter table "outbox_of_jobs" rename constraint "outbox_pkey" to "outbox_of_jobs_pkey";

-- CreateTable
CREATE TABLE "outbox" (
    "account_id" UUID NOT NULL,
    "event_id" UUID NOT NULL,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("account_id","event_id")
);

alter table "outbox" enable row level security;
alter table "outbox" force row level security;
create policy tenant on "outbox" using (in_scope(account_id)) with check (in_scope(account_id));

-- A job that names no event, or no payment of a rail, could not be done by the release before either.
insert into "outbox" (account_id, event_id)
select distinct e.account_id, e.id
from "outbox_of_jobs" o
join "events" e on e.account_id = (o.payload ->> 'accountId')::uuid and e.id = (o.payload ->> 'eventId')::uuid
where o.name = 'webhooks.dispatch';

-- A callback of a rail is its own queue: when to ask the rail about its payment, null once that was done.
-- AlterTable
ALTER TABLE "rail_callbacks" ADD COLUMN     "ask_at" TIMESTAMPTZ(6),
ADD COLUMN     "attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "end_to_end_id" TEXT,
ADD COLUMN     "paid_at" TIMESTAMPTZ(6);

update "rail_callbacks" set end_to_end_id = coalesce(payload ->> 'end_to_end_id', event_id);

-- AlterTable
ALTER TABLE "rail_callbacks" ALTER COLUMN "end_to_end_id" SET NOT NULL;

create index "rail_callbacks_due" on "rail_callbacks" ("ask_at") where "ask_at" is not null;

insert into "rail_callbacks" (provider, event_id, end_to_end_id, payload, ask_at)
select distinct on (1, 2) payload ->> 'provider', 'left:' || (payload ->> 'endToEndId'), payload ->> 'endToEndId',
  '{}'::jsonb, now()
from "outbox_of_jobs"
where name = 'deposits.complete' and payload ->> 'provider' is not null and payload ->> 'endToEndId' is not null;

-- DropTable
DROP TABLE "outbox_of_jobs";
