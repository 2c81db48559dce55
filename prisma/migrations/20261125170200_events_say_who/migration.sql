-- Who did what an event says (lib/actor.ts). Null for what happened before this was kept.
alter table events add column actor jsonb;
