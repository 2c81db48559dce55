import { newAlphanumeric } from "@/lib/ids";
import { disputedOf, disputesOf } from "@/lib/simulators/disputes";

/** `…/infractions` and below: payments that their payers dispute (MED). */
export const infractions = disputesOf({
  table: "simulator_infractions",
  newId: () => newAlphanumeric(32),
  left: `select p.amount - ${disputedOf("simulator_infractions", "p.end_to_end_id")} - coalesce((select sum(amount)
      from simulator_devolucoes where end_to_end_id = p.end_to_end_id and status <> 'NAO_REALIZADO'), 0) as left,
    exists (select from simulator_infractions where payment_id = p.end_to_end_id and status = 'open') as open
  from (select * from simulator_pix where end_to_end_id = $1 for update) p`,
});
