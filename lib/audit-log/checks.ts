import { LINKED_BY, waitingFor } from "@/lib/events/outbox";
import type { Checks } from "@/lib/reconcile/check";

/** The real time that is in an event's id. */
const AT = "to_timestamp(('x' || left(replace(w.event_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)";

/** What must hold of the chains of events at any time; `npm run verify-audit` reads them whole. */
export const checks: Checks = {
  event_not_linked: `select w.account_id::text, w.event_id::text as id, 'since ' || ${AT} as detail
    from ${waitingFor(LINKED_BY)} w where ${AT} < now() - interval '1 hour' limit 100`,
};
