/**
 * What unmatched money does to balances, worked out once more by itself: it imports nothing of the program, so that a wrong idea
 * in one of the two shows. Amounts in cents.
 */
export type ModelMoney = { amount: number; status: "open" | "returning" | "returned" | "matched" | "credited" };
export type ModelSale = { amount: number; fee: number; share: number; isPaid: boolean };
export type Deed = "match" | "credit" | "return" | "complete" | "fail";
export type Answer = "ok" | "refused";

/** The model of one seller and one recipient, and of what the platform holds, has earned and is owed by its rail. */
export function unmatchedModel() {
  const cents = { seller: 0, recipient: 0, unmatched: 0, fees: 0, clearing: 0 };
  const [money, sales]: [ModelMoney[], ModelSale[]] = [[], []];
  const taken: Record<string, number> = {};

  return {
    ...{ cents, money, sales, taken },

    sell: (sale: Omit<ModelSale, "isPaid">) => void sales.push({ ...sale, isPaid: false }),

    arrive(amount: number): void {
      money.push({ amount, status: "open" });
      cents.unmatched += amount;
      cents.clearing -= amount;
    },

    do(deed: Deed, one: ModelMoney, sale: ModelSale | undefined): Answer {
      const isHeld = deed === "complete" || deed === "fail" ? one.status === "returning" : one.status === "open";
      if (!isHeld) return "refused";
      if (deed === "match") {
        if (!sale || sale.isPaid || sale.amount !== one.amount) return "refused";
        sale.isPaid = true;
        cents.seller += sale.amount - sale.fee - sale.share;
        cents.recipient += sale.share;
        cents.fees += sale.fee;
      }
      if (deed === "credit") cents.seller += one.amount;
      if (deed === "complete") cents.clearing += one.amount;
      if (["match", "credit", "complete"].includes(deed)) cents.unmatched -= one.amount;
      const next = {
        match: "matched",
        credit: "credited",
        return: "returning",
        complete: "returned",
        fail: "open",
      } as const;
      one.status = next[deed];
      taken[deed] = (taken[deed] ?? 0) + 1;
      return "ok";
    },
  };
}
