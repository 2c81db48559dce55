import { unknownMovements } from "@/lib/deposits/movements";
import type { Checks } from "@/lib/reconcile";

/** What must hold between deposits and the Pix rails. */
export const checks: Checks = {
  // The migration every_release_alike marked these sales, because before it one payment could complete two sales.
  payment_of_two_sales: `select account_id::text, id::text, end_to_end_id || ', ' || amount || ' cents' as detail
    from transactions where end_to_end_id like '%#%'`,

  callback_overdue: `select null as account_id, end_to_end_id as id, provider || ', due since ' || ask_at as detail
    from rail_callbacks where ask_at < now() - interval '1 hour'`,

  async *movement_without_sale({ since, until }) {
    for await (const { receipts } of unknownMovements(since, until)) {
      yield* receipts.map(({ endToEndId, amount }) => ({ id: endToEndId, detail: `${amount} cents` }));
    }
  },
};
