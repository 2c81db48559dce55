-- The PSP of an account's Pix, where the staff has chosen one. A sandbox is never paid by a real one.
alter table "accounts" add column "pix_provider" text,
  add constraint "accounts_pix_provider" check ("pix_provider" is null or "mode" = 'live');

-- When a rail last answered a look at what it received.
alter table "rail_looks" add column "looked_at" timestamptz(6);
