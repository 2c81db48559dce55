import type { Checks } from "@/lib/reconcile/check";

const WHAT = "c.kind || ' at ' || c.provider";

/** What must hold of calls to the outside, and of what providers may change by themselves. What a provider accepted may take as long as it takes. */
export const checks: Checks = {
  call_unanswered: `select c.account_id::text, c.id::text, ${WHAT} || ', asked ' || c.sent_at as detail
    from calls c where c.done_at is null and c.accepted_at is null and c.sent_at < now() - interval '1 hour'`,

  call_not_sent: `select c.account_id::text, c.id::text, ${WHAT} || ', since ' || c.created_at as detail
    from calls c where c.done_at is null and c.sent_at is null and c.created_at < now() - interval '1 hour'`,

  watch_overdue: `select null as account_id, id, kind || ' at ' || provider || ', due since ' || ask_at as detail
    from watches where ask_at < now() - interval '1 hour'`,
};
