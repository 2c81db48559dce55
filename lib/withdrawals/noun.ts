import { changeBy, changesBy, NOW, type Noun } from "@/lib/move";
import { recordOf } from "@/lib/withdrawals/record";
import { type WithdrawalTransition, withdrawalTransitions } from "@/lib/withdrawals/states";

/** SQL: what came back, in cents, beside what came back before. */
const RETURNED = "returned_amount = t.returned_amount + old.returned";

/** Every change of a withdrawal: its transitions, and that a part of a paid one came back, which stays paid. */
export const withdrawalNoun: Noun<WithdrawalTransition | "return_part"> = {
  subject: "withdrawal",
  table: "withdrawals",
  facts: { approved_by: "uuid", end_to_end_id: "text", reason: "text", returned: "bigint" },
  record: recordOf,
  changes: {
    ...changesBy(withdrawalTransitions, {
      reject: `, cancelled_at = ${NOW}`,
      cancel: `, cancelled_at = ${NOW}`,
      send: `, sent_at = ${NOW}`,
      accept: `, accepted_at = ${NOW}, end_to_end_id = coalesce(old.end_to_end_id, t.end_to_end_id)`,
      pay: `, paid_at = ${NOW}, end_to_end_id = coalesce(old.end_to_end_id, t.end_to_end_id)`,
      fail: `, failed_at = ${NOW}, failure_reason = old.reason`,
      pay_late: `, paid_at = ${NOW}, end_to_end_id = coalesce(old.end_to_end_id, t.end_to_end_id)`,
      return: `, returned_at = ${NOW}, ${RETURNED}`,
    }),
    // Until it lapses it can be approved, by the database's clock, and from then on not any more.
    approve: changeBy(
      withdrawalTransitions.approve,
      `, approved_at = ${NOW}, approved_by = old.approved_by`,
      " and t.lapses_at > clock_timestamp()",
    ),
    lapse: changeBy(withdrawalTransitions.lapse, `, cancelled_at = ${NOW}`, " and t.lapses_at <= clock_timestamp()"),
    return_part: { from: "t.status = 'paid'", set: `${RETURNED}, updated_at = ${NOW}` },
  },
};
