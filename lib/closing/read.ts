import { readBalancesIn } from "@/lib/accounts/read";
import type { Closing } from "@/lib/closing/schema";
import { readFor, type Tx } from "@/lib/db";
import { readOpenDisputes } from "@/lib/disputes/open-disputes";
import { decimal } from "@/lib/money";
import { readOpenRefunds } from "@/lib/refunds/open";
import { countLiving } from "@/lib/subscriptions/read";
import { countPending } from "@/lib/transactions/pending";

/** What keeps an account from being closed. */
export const readClosing = (accountId: string): Promise<{ data: Closing }> =>
  readFor(accountId, async (tx) => ({ data: await closingOf(tx, accountId) }));

/** The same of an account in scope. */
export async function closingOf(tx: Tx, accountId: string): Promise<Closing> {
  const { available, pending, blocked, held } = await readBalancesIn(tx, accountId);
  return {
    ...{ available: decimal(available), pending: decimal(pending), blocked: decimal(blocked), held: decimal(held) },
    refunds: (await readOpenRefunds(tx, accountId)).open,
    disputes: (await readOpenDisputes(tx, accountId)).open,
    subscriptions: await countLiving(tx, accountId),
    charges: await countPending(tx, accountId),
  };
}

/** What of it is in the way: the members that are not nothing. */
export const hindrances = (closing: Closing) =>
  Object.entries(closing).filter(([, value]) => value !== 0 && value !== "0.00");
