import { waitingFor } from "@/lib/events/outbox";
import type { Checks } from "@/lib/reconcile/check";
import { CHANGED, changesOf, countsOf, KEY } from "@/lib/rollups/counting";

/** What must hold between sales and their counts: what is kept and what waits to be counted are the sales. */
export const checks: Checks = {
  count_differs: `select account_id::text, null::text as id, basis || ' on ' || day || ', ' || method || ' ' || status ||
      ': ' || sum(number) || ' sales of ' || sum(gross) || ' cents too many' as detail
    from (
      select ${KEY}, number, gross, net from rollups
      union all ${changesOf(waitingFor("counts"))}
      union all select ${KEY}, -number, -gross, -net from (${countsOf("transactions")}) sales
    ) sides
    group by ${KEY} having ${CHANGED}`,
};
