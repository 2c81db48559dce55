/**
 * What sales, their refunds and withdrawals do to balances, worked out once more by itself: it imports nothing of the program, so
 * that a wrong idea in one of the two shows. Amounts in cents.
 */
export type Purse = { available: number; pending: number; blocked: number; held: number };

/** What the platform has, of its mode: what it earned, and the other side of each rail. */
export type Platform = { fees: number; clearing: number; card_clearing: number };
export type ModelSale = {
  gross: number;
  fee: number;
  share: number;
  isCard: boolean;
  isSettled: boolean;
  refunded: number;
  pendingUsed: number;
  heldShare: number;
  open?: Open | undefined;
  /** What of the share was given back or is held for whoever may get it back. */
  shareKept: number;
  /** Whether it was settled when its dispute opened stays so, because a disputed sale is not settled. */
  dispute?: Dispute | undefined;
};
type Dispute = { amount: number; pending: number; blocked: number; own: number; back: number; isHeld: boolean };
type Open = { amount: number; pending: number; rest: number; back: number; isHeld: boolean; isApproved: boolean };

export type ModelWithdrawal = {
  amount: number;
  fee: number;
  returned: number;
  status: "requested" | "sending" | "paid" | "failed" | "cancelled";
};

export type Answer =
  | "ok"
  | "refund_already_open"
  | "refund_not_eligible"
  | "too_much"
  | "insufficient_balance"
  | "refund_sale_disputed"
  | "invalid_transition";

const purse = (): Purse => ({ available: 0, pending: 0, blocked: 0, held: 0 });

/** Half of a cent goes to the even one. */
function halfEven(numerator: bigint, denominator: bigint): number {
  const [whole, rest] = [numerator / denominator, numerator % denominator];
  const isUp = rest * 2n > denominator || (rest * 2n === denominator && whole % 2n === 1n);
  return Number(whole) + (isUp ? 1 : 0);
}

/** What the recipient gives back so that all it gave is its part of `total`, no more than `atMost` and what goes back at all. */
function shareOf({ share, gross, shareKept }: ModelSale, total: number, atMost: number, amount: number): number {
  const due = halfEven(BigInt(share) * BigInt(total), BigInt(gross)) - shareKept;
  return Math.max(0, Math.min(due, atMost, share - shareKept, amount));
}

/** The order in which disputes were opened. */
const opened = new WeakMap<object, number>();
const orderOf = ({ dispute }: ModelSale) => opened.get(dispute ?? {}) ?? 0;
const byDispute = (one: ModelSale, other: ModelSale) => orderOf(one) - orderOf(other);

/** What a refund, a card dispute that is lost and a withdrawal cost the seller. */
type Fees = { refund: number; chargeback: number; withdrawal: number };

/** The model of one seller and one recipient. */
export function refundModel(fees: Fees, seller = purse(), recipient = purse()) {
  const sales: ModelSale[] = [];
  const withdrawals: ModelWithdrawal[] = [];
  /** What the platform's accounts gained since the model began. */
  const platform: Platform = { fees: 0, clearing: 0, card_clearing: 0 };
  /** How many acts of each kind were taken. */
  const taken: Record<string, number> = {};
  const take = (act: string): "ok" => {
    taken[act] = (taken[act] ?? 0) + 1;
    return "ok";
  };

  return {
    ...{ seller, recipient, platform, sales, withdrawals, taken },

    sell(sale: Pick<ModelSale, "gross" | "fee" | "share" | "isCard">): Answer {
      const into = sale.isCard ? "pending" : "available";
      seller[into] += sale.gross - sale.fee - sale.share;
      recipient[into] += sale.share;
      platform.fees += sale.fee;
      platform[sale.isCard ? "card_clearing" : "clearing"] -= sale.gross;
      sales.push({ ...sale, isSettled: !sale.isCard, refunded: 0, pendingUsed: 0, heldShare: 0, shareKept: 0 });
      return take("sell");
    },

    ask(sale: ModelSale, amount: number): Answer {
      const left = sale.gross - sale.refunded;
      if (left === 0) return "refund_not_eligible";
      if (sale.dispute) return "refund_sale_disputed";
      if (sale.open) return "refund_already_open";
      if (amount > left) return "too_much";
      const upTo = (total: number) => halfEven(BigInt(sale.share) * BigInt(total), BigInt(sale.gross));
      const back = upTo(sale.refunded + amount) - upTo(sale.refunded);
      const isHeld = !sale.isSettled;
      const own = amount + fees.refund - (isHeld ? back : 0);
      const pending = isHeld ? Math.min(own, sale.gross - sale.fee - sale.share - sale.pendingUsed) : 0;
      const rest = own - pending;
      if (seller.available < rest) return "insufficient_balance";
      seller.available -= rest;
      seller.pending -= pending;
      seller.blocked += own;
      sale.pendingUsed += pending;
      if (isHeld) {
        recipient.pending -= back;
        recipient.blocked += back;
        sale.heldShare += back;
      }
      sale.shareKept += back;
      sale.open = { amount, pending, rest, back, isHeld, isApproved: false };
      return take("ask");
    },

    approve({ open }: ModelSale): Answer {
      if (!open || open.isApproved) return "invalid_transition";
      open.isApproved = true;
      return take("approve");
    },

    /** Refused or cancelled before it was approved, or not made by the provider afterwards. */
    release(sale: ModelSale, when: "decided" | "failed"): Answer {
      const { open } = sale;
      if (!open || open.isApproved !== (when === "failed")) return "invalid_transition";
      const held = open.isHeld ? open.back : 0;
      const into = sale.isSettled ? "available" : "pending";
      seller.blocked -= open.rest + open.pending;
      seller.available += open.rest;
      seller[into] += open.pending;
      recipient.blocked -= held;
      recipient[into] += held;
      sale.pendingUsed -= open.pending;
      sale.heldShare -= held;
      sale.shareKept -= open.back;
      sale.open = undefined;
      return take(when);
    },

    complete(sale: ModelSale): Answer {
      const { open } = sale;
      if (!open?.isApproved) return "invalid_transition";
      seller.blocked -= open.rest + open.pending;
      if (open.isHeld) recipient.blocked -= open.back;
      else {
        recipient.available -= open.back;
        seller.available += open.back;
      }
      platform.fees += fees.refund;
      platform[sale.isCard ? "card_clearing" : "clearing"] += open.amount;
      sale.refunded += open.amount;
      sale.open = undefined;
      return take("complete");
    },

    /** Made by its rail after it had failed: what it had released is taken from what is available. */
    completeLate(sale: ModelSale, { amount, back }: Pick<Open, "amount" | "back">): Answer {
      seller.available -= amount + fees.refund - back;
      recipient.available -= back;
      platform.fees += fees.refund;
      platform.clearing += amount;
      sale.refunded += amount;
      sale.shareKept += back;
      return take("completeLate");
    },

    /** A refund that its provider was not asked for stops; what is there is blocked, and the rest as it comes (`block`). */
    dispute(sale: ModelSale, amount: number): Answer {
      const left = sale.gross - sale.refunded;
      if (left === 0 || sale.dispute) return "invalid_transition";
      if (sale.open) {
        const { open } = sale;
        open.isApproved = false;
        this.release(sale, "decided");
      }
      const disputed = Math.min(amount, left);
      const isHeld = !sale.isSettled;
      const back = shareOf(sale, sale.refunded + disputed, sale.share, disputed);
      const own = disputed - (isHeld ? back : 0);
      const pending = isHeld ? Math.min(own, sale.gross - sale.fee - sale.share - sale.pendingUsed) : 0;
      const rest = Math.min(own - pending, Math.max(0, seller.available));
      seller.available -= rest;
      seller.pending -= pending;
      seller.blocked += pending + rest;
      sale.pendingUsed += pending;
      if (isHeld) {
        recipient.pending -= back;
        recipient.blocked += back;
        sale.heldShare += back;
      }
      sale.dispute = { amount: disputed, pending, blocked: pending + rest, own, back, isHeld };
      opened.set(sale.dispute, taken.dispute ?? 0);
      return take("dispute");
    },

    /** What is available by now goes to the disputes that are short, the oldest first. */
    block(): void {
      for (const { dispute } of [...sales].filter((one) => one.dispute).sort(byDispute)) {
        if (!dispute) continue;
        const more = Math.min(dispute.own - dispute.blocked, Math.max(0, seller.available));
        seller.available -= more;
        seller.blocked += more;
        dispute.blocked += more;
        if (more > 0) take("block");
      }
    },

    /** Won and cancelled lose nothing. */
    end(sale: ModelSale, lost: number): Answer {
      const { dispute } = sale;
      if (!dispute) return "invalid_transition";
      const { blocked, isHeld } = dispute;
      const gone = Math.min(lost, dispute.amount);
      const back = gone === 0 ? 0 : shareOf(sale, sale.refunded + gone, isHeld ? dispute.back : sale.share, gone);
      const own = gone - (isHeld ? back : 0);
      const keptPending = Math.min(dispute.pending, own);
      if (own > blocked) take("lostWhileShort");
      seller.blocked -= blocked;
      seller.available += blocked - own - (dispute.pending - keptPending);
      seller.pending += dispute.pending - keptPending;
      sale.pendingUsed -= dispute.pending - keptPending;
      if (isHeld) {
        recipient.blocked -= dispute.back;
        recipient.pending += dispute.back - back;
        sale.heldShare -= dispute.back - back;
      } else {
        recipient.available -= back;
        seller.available += back;
      }
      platform[sale.isCard ? "card_clearing" : "clearing"] += gone;
      if (gone > 0 && sale.isCard) {
        seller.available -= fees.chargeback;
        platform.fees += fees.chargeback;
      }
      sale.refunded += gone;
      sale.shareKept += back;
      sale.dispute = undefined;
      return take(gone === 0 ? "won" : gone < dispute.amount ? "lostInPart" : "lost");
    },

    /** The money of every card sale that is still a completed one becomes available, as far as refunds have left it. */
    settle(): void {
      for (const sale of sales.filter((one) => !one.isSettled && !one.dispute && one.refunded < one.gross)) {
        const own = sale.gross - sale.fee - sale.share - sale.pendingUsed;
        const shared = sale.share - sale.heldShare;
        seller.pending -= own;
        seller.available += own;
        recipient.pending -= shared;
        recipient.available += shared;
        sale.isSettled = true;
        take("settle");
      }
    },

    withdraw(amount: number): Answer {
      const total = amount + fees.withdrawal;
      if (seller.available < total) return "insufficient_balance";
      seller.available -= total;
      seller.held += total;
      withdrawals.push({ amount, fee: fees.withdrawal, returned: 0, status: "requested" });
      return take("withdraw");
    },

    send(withdrawal: ModelWithdrawal): Answer {
      if (withdrawal.status !== "requested") return "invalid_transition";
      withdrawal.status = "sending";
      return take("send");
    },

    /** Cancelled before it is sent, or not made by the rail afterwards. */
    giveBack(withdrawal: ModelWithdrawal, when: "withdrawal_cancelled" | "withdrawal_failed"): Answer {
      const isCancelled = when === "withdrawal_cancelled";
      if (withdrawal.status !== (isCancelled ? "requested" : "sending")) return "invalid_transition";
      const total = withdrawal.amount + withdrawal.fee;
      seller.held -= total;
      seller.available += total;
      withdrawal.status = isCancelled ? "cancelled" : "failed";
      return take(when);
    },

    /** Paid while it is on its way, or late, after it had failed. */
    pay(withdrawal: ModelWithdrawal): Answer {
      const { status, amount, fee } = withdrawal;
      if (status !== "sending" && status !== "failed") return "invalid_transition";
      seller[status === "sending" ? "held" : "available"] -= amount + fee;
      platform.clearing += amount;
      platform.fees += fee;
      withdrawal.status = "paid";
      return take(status === "sending" ? "withdrawal_paid" : "withdrawal_paid_late");
    },

    comeBack(withdrawal: ModelWithdrawal, amount: number): Answer {
      if (withdrawal.status !== "paid" || amount > withdrawal.amount - withdrawal.returned) return "invalid_transition";
      withdrawal.returned += amount;
      platform.clearing -= amount;
      seller.available += amount;
      return take(withdrawal.returned === withdrawal.amount ? "withdrawal_returned" : "withdrawal_returned_in_part");
    },
  };
}
