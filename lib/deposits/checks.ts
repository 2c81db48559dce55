import { unknownAt } from "@/lib/deposits/movements";
import { everyRail } from "@/lib/rails/pix/rails";
import type { Checks } from "@/lib/reconcile/check";
import { inSql } from "@/lib/states";
import { isPaid, transitions } from "@/lib/transactions/states";
import { heldUnmatched } from "@/lib/unmatched/states";

/** What must hold between deposits and the Pix rails. */
export const checks: Checks = {
  // The migration every_release_alike marked these sales, because before it one payment could complete two sales.
  payment_of_two_sales: `select account_id::text, id::text, end_to_end_id || ', ' || amount || ' cents' as detail
    from transactions where end_to_end_id like '%#%'`,

  // A payment at another rail than the sale's account uses never pays its sale, nor does one of a payer whom the account
  // refuses, or of a cycle that is paid or has failed.
  noted_payment_of_open_sale: `select t.account_id::text, t.id::text,
      u.end_to_end_id || ' of ' || u.amount || ' cents is noted as ' || u.reason as detail
    from unmatched_receipts u join transactions t on t.txid = u.txid and t.amount = u.amount and t.method = 'pix'
    where t.status in ${inSql(transitions.pay.from)} and u.status in ${inSql(heldUnmatched)}
      and u.reason not in ('another_rail', 'payer_differs') and not exists (
      select from transactions other
      where u.reason = 'cycle_already_paid' and other.account_id = t.account_id and other.cycle_id = t.cycle_id
        and ${isPaid("other")}
    ) and not exists (
      select from cycles c
      where u.reason = 'cycle_not_owed' and c.account_id = t.account_id and c.id = t.cycle_id and c.status = 'failed'
    )`,

  async *movement_without_sale({ since, until }) {
    for (const rail of everyRail()) {
      try {
        for await (const { receipts } of unknownAt(rail, since, until)) {
          yield* receipts.map(({ endToEndId, amount }) => ({ id: endToEndId, detail: `${amount} cents` }));
        }
      } catch (error) {
        yield { id: rail.provider, detail: `not compared: ${(error as Error).message}` };
      }
    }
  },
};
