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
};
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
  | "invalid_transition";

const purse = (): Purse => ({ available: 0, pending: 0, blocked: 0, held: 0 });

/** Half of a cent goes to the even one. */
function halfEven(numerator: bigint, denominator: bigint): number {
  const [whole, rest] = [numerator / denominator, numerator % denominator];
  const isUp = rest * 2n > denominator || (rest * 2n === denominator && whole % 2n === 1n);
  return Number(whole) + (isUp ? 1 : 0);
}

/** The model of one seller and one recipient; a refund costs the seller `refundFee`, a withdrawal `withdrawalFee`. */
export function refundModel(refundFee: number, seller = purse(), recipient = purse(), withdrawalFee = 0) {
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
      sales.push({ ...sale, isSettled: !sale.isCard, refunded: 0, pendingUsed: 0, heldShare: 0 });
      return take("sell");
    },

    ask(sale: ModelSale, amount: number): Answer {
      const left = sale.gross - sale.refunded;
      if (left === 0) return "refund_not_eligible";
      if (sale.open) return "refund_already_open";
      if (amount > left) return "too_much";
      const upTo = (total: number) => halfEven(BigInt(sale.share) * BigInt(total), BigInt(sale.gross));
      const back = upTo(sale.refunded + amount) - upTo(sale.refunded);
      const isHeld = !sale.isSettled;
      const own = amount + refundFee - (isHeld ? back : 0);
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
      platform.fees += refundFee;
      platform[sale.isCard ? "card_clearing" : "clearing"] += open.amount;
      sale.refunded += open.amount;
      sale.open = undefined;
      return take("complete");
    },

    /** The money of every card sale that is still a completed one becomes available, as far as refunds have left it. */
    settle(): void {
      for (const sale of sales.filter(({ isSettled, refunded, gross }) => !isSettled && refunded < gross)) {
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
      const total = amount + withdrawalFee;
      if (seller.available < total) return "insufficient_balance";
      seller.available -= total;
      seller.held += total;
      withdrawals.push({ amount, fee: withdrawalFee, returned: 0, status: "requested" });
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
