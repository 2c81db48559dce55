import type { Checks } from "@/lib/reconcile/check";

/** What must hold of calls to the outside. */
export const checks: Checks = {
  call_unanswered: `select c.account_id::text, c.id::text, c.kind || ' at ' || c.provider || ', asked ' || c.created_at
      as detail
    from rail_calls c where c.answered_at is null and c.created_at < now() - interval '1 hour'`,
};
