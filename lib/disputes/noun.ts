import { recordOf } from "@/lib/disputes/record";
import { type DisputeTransition, disputeTransitions } from "@/lib/disputes/states";
import { changesBy, NOW, type Noun } from "@/lib/move";

/** Nothing is blocked for a dispute that has ended, and nobody is reminded of it. */
const ENDS = ", blocked_amount = 0, block_at = null, remind_at = null, pending_amount = coalesce(old.pending, 0)";
const ENDED = `${ENDS}, ended_at = ${NOW}`;

/** Every change of a dispute: its transitions, and three that leave its status. */
export const disputeNoun: Noun<DisputeTransition | "block" | "defend" | "refuseDefence"> = {
  subject: "dispute",
  table: "disputes",
  facts: { pending: "bigint", lost: "bigint", more: "bigint", text: "text", remind: "timestamptz" },
  record: recordOf,
  changes: {
    ...changesBy(disputeTransitions, {
      win: ENDED,
      cancel: ENDED,
      lose: `${ENDED}, lost_amount = old.lost, amount = greatest(t.amount, old.lost)`,
    }),
    block: {
      from: "t.status = 'open'",
      set: `blocked_amount = t.blocked_amount + old.more,
        block_at = case when t.blocked_amount + old.more < t.amount - t.held_shares then t.block_at end`,
      silent: true,
    },
    defend: {
      from: "t.status = 'open' and t.defended_at is null",
      set: `defence = old.text, defended_at = ${NOW}, remind_at = null, updated_at = ${NOW}`,
    },
    refuseDefence: {
      from: "t.status = 'open' and t.defended_at is not null",
      set: `defended_at = null, remind_at = old.remind, updated_at = ${NOW}`,
    },
  },
};
