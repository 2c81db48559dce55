import type { Query } from "@/lib/db";
import { newId } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { rowsOf } from "@/lib/ledger/post";
import { methods } from "@/lib/methods/methods";
import type { Mode, TransactionMethod } from "@/prisma/client/enums";

/**
 * Money that a provider holds for us and that belongs to no open sale. `endToEndId` is the provider's id of it; of card
 * money it is our sale's id, and the provider is `CARDS`. `amount` is in cents.
 */
export type UnmatchedMoney = {
  provider: string;
  endToEndId: string;
  txid?: string;
  amount: number;
  reason: string;
  mode: Mode;
  method: TransactionMethod;
};

/** The provider of unmatched card money, whatever its acquirer. */
export const CARDS = "cards";

/**
 * Records money that matches nothing, and posts it to the platform, where it waits for the operator. What was recorded
 * before changes nothing. The transaction must have the platform of each mode in scope.
 */
export async function receiveUnmatched(query: Query, received: readonly UnmatchedMoney[]): Promise<void> {
  const rows = received.map(({ mode, method, ...row }) => ({ ...row, id: newId(), mode, method }));
  const facts = rows.map(({ id, mode, method, amount }) => ({
    ...{ type: methods[method].postings.unmatched, sourceId: id, owners: { platform: platforms[mode] } },
    amounts: { amount },
  }));
  await query("unmatched_receive", RECEIVE, [JSON.stringify(rows), JSON.stringify(rowsOf(facts))]);
}

/** The same of money that an acquirer charged for a sale that it does not pay. */
export async function receiveUnmatchedCard(query: Query, { accountId, id, amount, reason }: CardMoney): Promise<void> {
  const [account] = await query<{ mode: Mode }>("account_mode", MODE, [accountId]);
  if (!account) throw new Error(`No account ${accountId}`);
  const card = { provider: CARDS, endToEndId: id, method: "card" } as const;
  await receiveUnmatched(query, [{ ...card, amount: Number(amount), reason, mode: account.mode }]);
}

type CardMoney = { accountId: string; id: string; amount: bigint; reason: string };

const MODE = "select mode from accounts where id = $1::uuid";

const RECEIVE = `with received as (
    insert into unmatched_receipts (provider, end_to_end_id, id, txid, amount, reason)
    select provider, "endToEndId", id, txid, amount, reason from json_to_recordset($1::json)
      as r(provider text, "endToEndId" text, id uuid, txid text, amount bigint, reason text)
    order by 1, 2
    on conflict (provider, end_to_end_id) do nothing returning id
  ), fact as (
    select json_agg(f) as facts from json_array_elements($2::json) f
    where (f ->> 'source_id')::uuid in (select id from received)
  )
  select ledger_post(facts) from fact where facts is not null`;
