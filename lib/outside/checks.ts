import type { Checks } from "@/lib/reconcile/check";

/** What must hold of what providers may change by themselves. */
export const checks: Checks = {
  watch_overdue: `select null as account_id, id, kind || ' at ' || provider || ', due since ' || ask_at as detail
    from watches where ask_at < now() - interval '1 hour'`,
};
