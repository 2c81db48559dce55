import type { AccountContext } from "@/lib/accounts/context";
import { cycleCode } from "@/lib/billing/code-call";
import { chargeRow } from "@/lib/billing/event-record";
import { findCycleOf } from "@/lib/billing/pay-cycles";
import type { LoadedSubscription } from "@/lib/billing/subscription";
import type { SubscriptionChange } from "@/lib/billing/subscription-change";
import type { Cycle } from "@/lib/billing/tables";
import { forAccount, type Query, queryOf, type Tx } from "@/lib/db";
import { type Intent, once } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { callAndWait } from "@/lib/outside/call-and-wait";
import type { CallKey } from "@/lib/outside/calls";
import type { Issued } from "@/lib/rails/pix/port";
import { railFor } from "@/lib/rails/pix/rails";
import { presentCharge } from "@/lib/subscriptions/present";
import { pictureOf } from "@/lib/subscriptions/qr";
import { findSubscription } from "@/lib/subscriptions/read";
import { businessNow } from "@/lib/time/clock";
import { pixCodeOf } from "@/lib/transactions/pix-code";
import { readSale, type Sale } from "@/lib/transactions/sale";

/** A cycle and the code by which it is paid. */
export type Coded = Pick<LoadedSubscription, "subscription" | "account" | "offer"> & { cycle: Cycle; pixCode: string };

type Waiting<Result> = {
  /** Changes a subscription and writes it; a code's sale gets the id `saleId`, where that is given. */
  change(tx: Tx, saleId?: string): Promise<SubscriptionChange>;

  presentCode(coded: Coded): Promise<Result>;

  /** The answer where the change led to no code. Without it every change leads to one. */
  present?(change: SubscriptionChange, tx: Tx): Promise<Result> | Result;
};

/**
 * Changes a subscription, and answers with the Pix code that the change led to. Where the rail makes its codes itself, the
 * caller waits for it. Throws `deposit_pending` while the rail has not given the code, `deposit_not_made` where its sale is
 * void by now, and what `callAndWait` throws.
 */
export function changeForCode<Result>(account: AccountContext, waiting: Waiting<Result>, intent: Intent) {
  const rail = railFor(account);
  if (rail?.requestCode) return waitForCode(account, rail.provider, waiting, intent);
  const { change, presentCode, present } = waiting;
  return forAccount(account.id, (tx) =>
    once(tx, intent.idem, async () => {
      const changed = await change(tx);
      const coded = codedOf(changed);
      if (coded) return presentCode(coded);
      if (present) return present(changed, tx);
      throw new Error("A code was issued");
    }),
  );
}

/** What was changed with a code that was issued at once. */
function codedOf({ subscription, account, offer, cycle, codes }: SubscriptionChange): Coded | undefined {
  const pixCode = codes.get(cycle?.codeSaleId ?? "");
  return cycle && pixCode ? { subscription, account, offer, cycle, pixCode } : undefined;
}

/** What waits for its code, or the answer where there is none to wait for. */
type Row<Result> = (Omit<Coded, "pixCode"> & { sale: Sale }) | { result: Result };

function waitForCode<Result>(
  account: AccountContext,
  provider: string,
  { change, presentCode, present }: Waiting<Result>,
  intent: Intent,
): Promise<Result> {
  const key = { accountId: account.id, id: newId(businessNow(account)) };

  async function begin(tx: Tx) {
    const changed = await change(tx, key.id);
    const isAsked = changed.calls.some(({ id }) => id === key.id);
    if (!isAsked && present) return { row: { result: await present(changed, tx) } };
    const ask = await cycleCode.send(tx, { ...key, provider, input: null, isRepeat: false });
    return { row: await read(queryOf(tx), key), ...(ask && { ask }) };
  }

  return callAndWait<Issued, Row<Result>, Result>(
    key,
    {
      ...{ kind: cycleCode, provider, begin, read },
      present: (row) => ("result" in row ? row.result : presentCode({ ...row, pixCode: pixCodeOf(row.sale) })),
    },
    intent,
  );
}

async function read(query: Query, key: CallKey) {
  const sale = await readSale(query, key);
  const found = await findSubscription(query, key.accountId, sale.subscriptionId ?? "");
  const cycle = await findCycleOf(query, sale, found.cycle);
  if (!cycle) throw new Error(`${sale.id} is of no cycle`);
  return { ...found, cycle, sale };
}

/** A charge with its code and the code's picture. */
export const presentCodedCharge = async ({ cycle, account, pixCode }: Coded) =>
  presentCharge(chargeRow(cycle, account.timeZone, pixCode), await pictureOf(pixCode));
