import type { Checks } from "@/lib/reconcile";

/** What must hold of calls to the outside, whatever their kind. */
export const checks: Checks = {
  charge_unanswered: `select account_id::text, id::text, kind || ' at ' || provider || ', asked ' || created_at as detail
    from rail_calls where answered_at is null and created_at < now() - interval '1 hour'`,
};
