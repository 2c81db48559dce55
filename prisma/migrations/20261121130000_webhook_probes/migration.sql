-- AlterTable
ALTER TABLE "webhooks" ADD COLUMN     "next_probe_at" TIMESTAMPTZ(6);

-- Disabled webhooks, for the sweep that tries them. One that said 410 began to fail with that answer, and is not tried.
create index "webhooks_to_probe" on "webhooks" ("next_probe_at") where "next_probe_at" is not null;
do $$
begin
  perform set_config('app.accounts', '*', true);
  update webhooks set next_probe_at = now()
  where disabled_at - failing_since >= interval '1 day' and deleted_at is null;
end $$;
