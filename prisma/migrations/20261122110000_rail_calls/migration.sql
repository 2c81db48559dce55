-- A call to the outside, of whatever kind, is a row of its own: by our id of what we want, whom we asked, and when to
-- ask what became of it while that is not known. Ages are by the database's clock: web and worker may disagree.
CREATE TABLE "rail_calls" (
    "account_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "ask_at" TIMESTAMPTZ(6) NOT NULL DEFAULT (now() + '00:01:00'::interval),
    "answered_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT now(),

    CONSTRAINT "rail_calls_pkey" PRIMARY KEY ("account_id","id")
);

-- CreateIndex
CREATE INDEX "rail_calls_created_at_idx" ON "rail_calls" USING BRIN ("created_at");

-- Calls of which it is not known what became, for the sweep of each kind.
create index "rail_calls_to_ask" on "rail_calls" ("kind", "ask_at") where "answered_at" is null;

-- Row-level security, as in the first migration.
alter table "rail_calls" enable row level security;
alter table "rail_calls" force row level security;
create policy tenant on "rail_calls" using (in_scope(account_id)) with check (in_scope(account_id));

-- What card charges had of their own. One that our own rules refused called nobody.
do $$
begin
  perform set_config('app.accounts', '*', true);
  insert into rail_calls (account_id, id, kind, provider, ask_at, answered_at, created_at)
    select account_id, transaction_id, 'card_charge', acquirer, ask_at, answered_at, created_at
    from card_charges where rule is null;
end $$;

-- The index of what was to be asked goes with its columns.
ALTER TABLE "card_charges" DROP COLUMN "acquirer", DROP COLUMN "ask_at", DROP COLUMN "answered_at";
