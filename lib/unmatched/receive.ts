import type { Query } from "@/lib/db";
import { newId } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { rowsOf } from "@/lib/ledger/post";
import { methods } from "@/lib/methods/methods";
import { policies } from "@/lib/unmatched/policies";
import type { UnmatchedReason } from "@/lib/unmatched/states";
import type { Mode, TransactionMethod } from "@/prisma/client/enums";

/**
 * Money that a provider holds for us and that belongs to no open sale. `endToEndId` is the provider's id of it; of card
 * money it is our sale's id, and the provider is `CARDS`. `amount` is in cents, `receivedAt` is by the rail's clock; `sale` is
 * what it names, of the same mode.
 */
export type UnmatchedMoney = {
  provider: string;
  endToEndId: string;
  txid?: string;
  amount: number;
  reason: UnmatchedReason;
  mode: Mode;
  method: TransactionMethod;
  sale?: { accountId: string; id: string } | undefined;
  payer?: object;
  receivedAt?: Date;
};

/** The provider of unmatched card money, whatever its acquirer. */
export const CARDS = "cards";

/**
 * Records money that matches nothing, and posts it to the platform. It goes back by itself or waits for the operator, as
 * `policies` says. What was recorded before changes nothing. The transaction must have the platform of each mode in scope, and
 * the accounts of the sales.
 */
export async function receiveUnmatched(query: Query, received: readonly UnmatchedMoney[]): Promise<void> {
  const rows = received.map(({ sale, ...row }) => ({
    ...{ ...row, id: newId() },
    ...{ accountId: sale?.accountId ?? platforms[row.mode], saleId: sale?.id },
    isReturned: policies[row.reason] === "return",
  }));
  const facts = rows.map(({ id, mode, method, amount, provider: rail }) => ({
    ...{ type: methods[method].postings.unmatched, sourceId: id, owners: { platform: platforms[mode], rail } },
    amounts: { amount },
  }));
  await query("unmatched_receive", RECEIVE, [JSON.stringify(rows), JSON.stringify(rowsOf(facts))]);
}

/** The same of money that an acquirer charged for a sale that it does not pay. */
export async function receiveUnmatchedCard(query: Query, { accountId, id, amount, reason }: CardMoney): Promise<void> {
  const [account] = await query<{ mode: Mode }>("account_mode", MODE, [accountId]);
  if (!account) throw new Error(`No account ${accountId}`);
  const card = { provider: CARDS, endToEndId: id, method: "card", sale: { accountId, id } } as const;
  await receiveUnmatched(query, [{ ...card, amount: Number(amount), reason, mode: account.mode }]);
}

type CardMoney = { accountId: string; id: string; amount: bigint; reason: UnmatchedReason };

const MODE = "select mode from accounts where id = $1::uuid";

const RECEIVE = `with received as (
    insert into unmatched_receipts (provider, end_to_end_id, account_id, id, mode, method, txid, amount, reason, sale_id, payer,
      received_at, return_at, updated_at)
    select provider, "endToEndId", "accountId", id, mode, method, txid, amount, reason, "saleId", payer,
      coalesce("receivedAt", now()), case when "isReturned" then now() end, now()
    from json_to_recordset($1::json) as r(provider text, "endToEndId" text, "accountId" uuid, id uuid, mode "Mode",
      method "TransactionMethod", txid text, amount bigint, reason text, "saleId" uuid, payer jsonb,
      "receivedAt" timestamptz, "isReturned" boolean)
    order by 1, 2
    on conflict (provider, end_to_end_id) do nothing returning id
  ), fact as (
    select json_agg(f) as facts from json_array_elements($2::json) f
    where (f ->> 'source_id')::uuid in (select id from received)
  )
  select ledger_post(facts) from fact where facts is not null`;
