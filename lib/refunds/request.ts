import type { AccountContext } from "@/lib/accounts/context";
import { askSecondPerson } from "@/lib/approvals/ask";
import { awaiting } from "@/lib/approvals/awaiting";
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
import { readShares, readSharesOf } from "@/lib/splits/read";
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

export type AskedRefund = RefundBody & { id: string };

/** The person who asks. */
type Person = { userId: string; liveId: string; isSteppedUp: boolean };

/**
 * Asks the operator for a refund of a sale, and holds its amount and fee until it has ended. Without an amount, all that
 * is left of the sale is refunded. Throws `refundErrors`, and 422 for an amount that is more than is left.
 */
export async function requestRefund(account: AccountContext, input: AskedRefund, intent: Intent) {
  return forAccount(await accountsOfRefund(account.id, input), (tx) =>
    once(tx, intent.idem, () => beginRefund(tx, account, input, intent)),
  );
}

/**
 * The same by a person. Where all that is refunded of the sale is above the account's `approvalAbove`, it waits for a second one, if there is one who may decide: it is
 * refused now if it could not be made now, and holds nothing meanwhile. Throws `step_up_required` too.
 */
export async function requestRefundAsPerson(
  account: AccountContext,
  input: AskedRefund & { by: Person },
  intent: Intent,
) {
  const { by, ...asked } = input;
  const { approvalAbove } = account;
  return forAccount(await accountsOfRefund(account.id, asked), (tx) =>
    once(tx, intent.idem, async () => {
      const plan = await planRefund(tx, account, asked);
      const { amount, ofSale } = plan;
      if (approvalAbove === null || ofSale <= approvalAbove) return writeRefund(tx, account, asked, plan, intent);
      if (!by.isSteppedUp) throw new AppError("step_up_required");
      const waits = await askSecondPerson(tx, {
        ...{ account, liveId: by.liveId, kind: "refund", subjectId: asked.id, askedBy: by.userId },
        asked: { ...asked, amount },
      });
      return waits ? awaiting(waits) : writeRefund(tx, account, asked, plan, intent);
    }),
  );
}

/** Asks for a refund that a second person agreed to, in the transaction of the decision. Throws as `requestRefund` does. */
export const beginRefund = async (tx: Tx, account: AccountContext, asked: AskedRefund, intent: Intent) =>
  writeRefund(tx, account, asked, await planRefund(tx, account, asked), intent);

/** The accounts that a refund moves money of: what was agreed when the sale was made never changes. */
export async function accountsOfRefund(accountId: string, { id }: AskedRefund): Promise<string[]> {
  return [accountId, ...(await readSharesOf(accountId, id)).map(({ recipientId }) => recipientId)];
}

/** What a refund would move, with its sale locked. Throws where it cannot be made now. */
async function planRefund(tx: Tx, account: AccountContext, { id, amount: asked }: AskedRefund) {
  const sale = await lockSale(queryOf(tx), { accountId: account.id, id });
  if (!sale) throw new AppError("transaction_not_found");
  const now = businessNow(account);
  const { left, fee, isPending, ...known } = await requireRefundable(tx, sale, now);
  const amount = asked ?? left;
  if (amount > left) throw tooMuch(left);
  const sold = { amount: Number(sale.amount), net: Number(sale.net), isPending, ...known };
  const shares = await readShares(tx, [id]);
  const funding = fundingOf(sold, shares, amount, fee);
  if (funding.pending < 0) throw tooFew();
  const ofSale = sold.amount - left + amount;
  return { now, amount, ofSale, fee, funding, parts: partsOf(isPending, shares, funding) };
}

type Plan = Awaited<ReturnType<typeof planRefund>>;

async function writeRefund(tx: Tx, account: AccountContext, asked: AskedRefund, plan: Plan, { requestId }: Intent) {
  const { id: accountId, mode } = account;
  const { now, amount, fee, funding, parts } = plan;
  if (funding.rest > 0) await reserve(tx, accountId, funding.rest);
  const id = newId(now);
  const held = parts.filter(({ isHeld }) => isHeld);
  const heldShares = held.reduce((sum, part) => sum + part.amount, 0);
  const row = newRefund({
    ...{ accountId, id, mode, transactionId: asked.id, status: "pending", amount, fee },
    ...{ pendingAmount: funding.pending, heldShares },
    ...{ reason: asked.reason, reasonDetails: asked.reason_details, cancelSubscription: asked.cancel_subscription },
    ...{ createdAt: now, updatedAt: now },
  }) as Parameters<typeof begin>[2]["row"];
  const posts = [requestOf(accountId, id, funding), ...held.map(heldOf)];
  await begin(tx, refundNoun, { row, requestId, posts }).catch(alreadyOpen);
  if (parts.length > 0)
    await tx.refundShare.createMany({ data: parts.map((part) => ({ ...part, accountId, refundId: id })) });
  mayCrash("refund.requested");
  return { data: presentRefund(await findRefund(queryOf(tx), accountId, id)) };
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
