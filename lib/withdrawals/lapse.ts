import type { Query } from "@/lib/db";
import { dueInSets } from "@/lib/due/sets";
import { move } from "@/lib/move";
import { startsFromSql } from "@/lib/states";
import { withdrawalNoun } from "@/lib/withdrawals/noun";
import { releaseOf } from "@/lib/withdrawals/postings";
import { withdrawalTransitions } from "@/lib/withdrawals/states";

/** What waits for a second person, by the instant at which it lapses. */
export const dueWithdrawals = {
  table: "withdrawals",
  key: { account_id: "uuid", id: "uuid" },
  at: "t.lapses_at",
  only: startsFromSql(withdrawalTransitions.lapse, "t"),
} as const;

type Due = { accountId: string; id: string; amount: number; fee: number };

/** Ends a set of the withdrawals that nobody approved in time, and gives back what they hold. Returns whether more may be due. */
export const lapseWithdrawals = dueInSets<Due>({
  name: "withdrawals.lapse",
  rows: dueWithdrawals,
  columns: ", t.amount::float8 as amount, t.fee::float8 as fee",
  limit: 100,
  act: (query: Query, due) =>
    move(
      query,
      withdrawalNoun,
      "lapse",
      due.map((one) => ({ accountId: one.accountId, id: one.id, posts: [releaseOf(one)] })),
    ),
});
