import { recordOf } from "@/lib/differences/record";
import { type DifferenceTransition, differenceTransitions } from "@/lib/differences/states";
import { changesBy, type Noun } from "@/lib/move";

/** SQL: what a comparison found of it. */
const FOUND = `, fault = old.fault, their_amount = old.their_amount, our_amount = old.our_amount, their_state = old.their_state,
    our_state = old.our_state, of_account_id = old.of_account_id, last_seen_at = old.seen_at`;

/** Every change of a difference. */
export const differenceNoun: Noun<DifferenceTransition> = {
  subject: "difference",
  table: "reconcile_differences",
  facts: {
    ...{ fault: "text", their_amount: "bigint", our_amount: "bigint", their_state: "text", our_state: "text" },
    ...{ of_account_id: "uuid", seen_at: "timestamptz", staff: "uuid", why: "text" },
  },
  record: recordOf,
  changes: changesBy(differenceTransitions, {
    close: ", closed_by = old.staff, closed_at = clock_timestamp(), reason = old.why",
    reopen: `${FOUND}, closed_by = null, closed_at = null, reason = null`,
    change: FOUND,
  }),
};
