import { changesBy, type Noun } from "@/lib/move";
import { recordOf } from "@/lib/unmatched/record";
import { type UnmatchedTransition, unmatchedTransitions } from "@/lib/unmatched/states";

/** SQL: who decided, why, and when in real time, as providers' clocks are. */
const DECIDED = ", decided_by = old.staff, decided_at = clock_timestamp(), decision = old.why, return_at = null";

/** Every change of unmatched money. */
export const unmatchedNoun: Noun<UnmatchedTransition> = {
  subject: "unmatched",
  table: "unmatched_receipts",
  facts: {
    ...{ staff: "uuid", why: "text", to_account: "uuid", to_sale: "uuid", from_rail: "text" },
    ...{ return_as: "uuid", receipt: "text", failure: "text" },
  },
  record: recordOf,
  changes: changesBy(unmatchedTransitions, {
    match: `${DECIDED}, to_account_id = old.to_account, to_sale_id = old.to_sale`,
    credit: `${DECIDED}, to_account_id = old.to_account`,
    transfer: `${DECIDED}, from_provider = old.from_rail`,
    return: `${DECIDED}, return_id = old.return_as, return_failure = null`,
    complete: ", provider_return_id = old.receipt",
    completeLate: ", provider_return_id = old.receipt, return_failure = null",
    fail: ", return_failure = coalesce(old.failure, '')",
  }),
};
