import { disputeNoun } from "@/lib/disputes/noun";
import { BLOCK_AGAIN_MS } from "@/lib/disputes/open";
import { dueInSets } from "@/lib/due/sets";
import { newId } from "@/lib/ids";
import { lockAvailable } from "@/lib/ledger/balance";
import type { Fact } from "@/lib/ledger/post";
import { move } from "@/lib/move";
import { mayCrash } from "@/lib/process/crash-points";

/** How many disputes one set has. */
const LIMIT = 100;

type Short = { accountId: string; id: string; missing: number };

/**
 * Loop: blocks what balances that were short had to leave, as credits come: of each account the oldest dispute first, and never
 * more than is available. What stays short is looked at again after as long as its dispute has been open, a minute at most, or when
 * an event tells of a credit (`lib/disputes/follow.ts`). Returns whether more may be due.
 */
export const blockMissing = dueInSets<Short>({
  name: "disputes.block",
  rows: {
    ...{ table: "disputes", key: { account_id: "uuid", id: "uuid" } },
    ...{ at: "t.block_at", only: "t.block_at is not null" },
  },
  columns: `, (t.amount - t.held_shares - t.blocked_amount)::float8 as missing`,
  limit: LIMIT,
  async act(query, due) {
    const left = new Map<string, number>();
    const accounts = [...new Set(due.map(({ accountId }) => accountId))].sort();
    for (const accountId of accounts) left.set(accountId, await lockAvailable(query, accountId));
    const oldestFirst = [...due].sort((a, b) => (a.id < b.id ? -1 : 1));
    const blocks = oldestFirst.flatMap(({ accountId, id, missing }) => {
      const amount = Math.min(missing, left.get(accountId) ?? 0);
      if (amount <= 0) return [];
      left.set(accountId, (left.get(accountId) ?? 0) - amount);
      return [{ id: newId(), accountId, disputeId: id, amount }];
    });
    await query("disputes_later", LATER, [
      due.map(({ accountId }) => accountId),
      due.map(({ id }) => id),
      BLOCK_AGAIN_MS,
    ]);
    if (blocks.length === 0) return;
    await query("dispute_blocks_add", INSERT, [JSON.stringify(blocks)]);
    const moves = blocks.map(({ accountId, disputeId: id, amount, ...block }) => {
      return { accountId, id, facts: { more: amount }, posts: [blockedOf(accountId, block.id, amount)] };
    });
    await move(query, disputeNoun, "block", moves);
    mayCrash("dispute.blocked");
  },
});

const blockedOf = (account: string, sourceId: string, rest: number): Fact => ({
  ...{ type: "dispute_opened", sourceId, owners: { account }, amounts: { rest, pending: 0 } },
});

/** A dispute's own time is by its account's clock. */
const LATER = `update disputes d set block_at = now()
    + least(greatest(now() + a.clock_offset_ms * interval '1 millisecond' - d.created_at, $3 * interval '1 millisecond'), interval '1 minute')
  from unnest($1::uuid[], $2::uuid[]) as due(account_id, id) join accounts a on a.id = due.account_id
  where d.account_id = due.account_id and d.id = due.id`;

const INSERT = `insert into dispute_blocks (account_id, id, dispute_id, amount)
  select "accountId", id, "disputeId", amount
  from json_to_recordset($1::json) as b("accountId" uuid, id uuid, "disputeId" uuid, amount bigint)`;
