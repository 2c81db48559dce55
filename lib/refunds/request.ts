import type { AccountContext } from "@/lib/accounts/context";
import { forAccount, isSqlState, queryOf, type Tx } from "@/lib/db";
import { AppError, type ErrorCode, invalid } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { reserve } from "@/lib/ledger/balance";
import type { Fact } from "@/lib/ledger/post";
import { moneyText } from "@/lib/money";
import { begin } from "@/lib/move";
import { mayCrash } from "@/lib/process/crash-points";
import { type Funding, fundingOf } from "@/lib/refunds/funding";
import { refundNoun } from "@/lib/refunds/noun";
import { presentRefund } from "@/lib/refunds/present";
import { findRefund } from "@/lib/refunds/read";
import { newRefund } from "@/lib/refunds/record";
import { type Hindrance, type Refundable, readRefundable } from "@/lib/refunds/refundable";
import type { RefundBody } from "@/lib/refunds/schema";
import { readSharesOf } from "@/lib/splits/read";
import type { Share } from "@/lib/splits/share";
import { businessNow } from "@/lib/time/clock";
import { lockSale, type Sale } from "@/lib/transactions/sale";

/** What asking for a refund throws, for the contract of its route. */
export const refundErrors = [
  "transaction_not_found",
  "refund_not_eligible",
  "refund_sale_disputed",
  "refund_already_open",
  "refund_limit_reached",
  "insufficient_balance",
] as const;

/**
 * Asks the operator for a refund of a sale, and holds its amount and fee until it has ended. Without an amount, all that
 * is left of the sale is refunded. Throws `refundErrors`, and 422 for an amount that is more than is left.
 */
export async function requestRefund(account: AccountContext, input: RefundBody & { id: string }, intent: Intent) {
  const { id: accountId } = account;
  // What was agreed when the sale was made never changes.
  const shares = await readSharesOf(accountId, input.id);
  const recipients = shares.map(({ recipientId }) => recipientId);
  return forAccount([accountId, ...recipients], (tx) =>
    once(tx, intent.idem, async () => {
      const sale = await lockSale(queryOf(tx), { accountId, id: input.id });
      if (!sale) throw new AppError("transaction_not_found");
      const now = businessNow(account);
      const { left, fee, isPending, ...known } = await requireRefundable(tx, sale, now);
      const amount = input.amount ?? left;
      if (amount > left) throw tooMuch(left);
      const sold = { amount: Number(sale.amount), net: Number(sale.net), isPending, ...known };
      const funding = fundingOf(sold, shares, amount, fee);
      if (funding.pending < 0) throw tooFew();
      if (funding.rest > 0) await reserve(tx, accountId, funding.rest);
      const id = newId(now);
      const parts = partsOf(isPending, shares, funding);
      const held = parts.filter(({ isHeld }) => isHeld);
      const row = newRefund({
        ...{
          accountId,
          id,
          mode: account.mode,
          transactionId: sale.id,
          status: "pending",
          amount,
          fee,
          pendingAmount: funding.pending,
          heldShares: held.reduce((sum, part) => sum + part.amount, 0),
        },
        ...{ reason: input.reason, reasonDetails: input.reason_details, cancelSubscription: input.cancel_subscription },
        ...{ createdAt: now, updatedAt: now },
      }) as Parameters<typeof begin>[2]["row"];
      const posts = [requestOf(accountId, id, funding), ...held.map(heldOf)];
      await begin(tx, refundNoun, { row, requestId: intent.requestId, posts }).catch(alreadyOpen);
      if (parts.length > 0)
        await tx.refundShare.createMany({ data: parts.map((part) => ({ ...part, accountId, refundId: id })) });
      mayCrash("refund.requested");
      return { data: presentRefund(await findRefund(queryOf(tx), accountId, id)) };
    }),
  );
}

/** Why a sale is not refunded now, for who asks. */
const refusals = {
  disputed: "refund_sale_disputed",
  open: "refund_already_open",
  nothing_left: "refund_not_eligible",
  too_late: "refund_not_eligible",
  too_many: "refund_limit_reached",
} as const satisfies Record<Hindrance, ErrorCode>;

/** What can be refunded of a sale. Throws where nothing can. */
async function requireRefundable(tx: Tx, sale: Sale, now: Date): Promise<Refundable> {
  const found = await readRefundable(tx, sale, now);
  if (!found) throw new AppError("refund_not_eligible");
  if (found.hindrance) throw new AppError(refusals[found.hindrance]);
  return found;
}

const tooMuch = (left: number) =>
  invalid({ amount: [`Desta venda podem ser estornados no máximo ${moneyText(left)}.`] });

/** Of a few cents, recipients may give back more than goes back, because each part is rounded: none of that can be held. */
const tooFew = () =>
  invalid({
    amount: ["Tão poucos centavos não se dividem entre os recebedores desta venda antes de ela ser liquidada."],
  });

type Part = { id: string; shareId: string; recipientId: string; amount: number; isHeld: boolean };

/** What each recipient gives back. */
function partsOf(isHeld: boolean, shares: readonly Share[], funding: Funding): Part[] {
  return shares.flatMap(({ id: shareId, recipientId }, place) => {
    const amount = funding.shares[place] ?? 0;
    return amount === 0 ? [] : [{ id: newId(), shareId, recipientId, amount, isHeld }];
  });
}

const requestOf = (account: string, sourceId: string, { rest, pending }: Funding): Fact => ({
  ...{ type: "refund_requested", sourceId, owners: { account }, amounts: { rest, pending } },
});

const heldOf = ({ id: sourceId, recipientId: recipient, amount: share }: Part): Fact => ({
  ...{ type: "share_held", sourceId, owners: { recipient }, amounts: { share } },
});

/** Of two requests at once for one sale the second finds the first by the index of open refunds. */
function alreadyOpen(error: unknown): never {
  if (isSqlState(error, "23505")) throw new AppError("refund_already_open");
  throw error;
}
