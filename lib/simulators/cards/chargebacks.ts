import { newId } from "@/lib/ids";
import { disputedOf, disputesOf } from "@/lib/simulators/disputes";

/** `…/chargebacks` and below: charges that their cards' holders dispute. */
export const chargebacks = disputesOf({
  table: "simulator_chargebacks",
  newId,
  left: `select c.amount - ${disputedOf("simulator_chargebacks", "c.id::text")} - coalesce((select sum(amount)
      from simulator_card_refunds where charge_id = c.id), 0) as left,
    exists (select from simulator_chargebacks where payment_id = c.id::text and status = 'open') as open
  from (select * from simulator_charges where id::text = $1 and status = 'approved' for update) c`,
});
