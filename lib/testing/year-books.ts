import type { Plans } from "@/lib/testing/year-scripts";

export type Sale = { method: "pix" | "card"; plan: string; cents: number; day: number };
export type Fees = Readonly<Record<Sale["method"], readonly [basisPoints: number, fixed: number, minimum: number]>>;

/** A fraction, half to even. */
export function rounded(numerator: number, denominator: number): number {
  const floor = Math.floor(numerator / denominator);
  const twice = 2 * (numerator - floor * denominator);
  return floor + (twice > denominator || (twice === denominator && floor % 2 === 1) ? 1 : 0);
}

/** The cents that sales bring: the seller's, each recipient's and the platform's, in `available` and in `pending`. */
export function books(sales: readonly Sale[], plans: Plans, fees: Fees, settleDays: number, until: number) {
  const cents: Record<string, number> = {};
  function add(where: string, amount: number) {
    cents[where] = (cents[where] ?? 0) + amount;
  }
  for (const { method, plan, cents: amount, day } of sales) {
    const [basisPoints, fixed, minimum] = fees[method];
    const fee = Math.min(amount, Math.max(minimum, rounded(amount * basisPoints, 10_000) + fixed));
    const where = method === "card" && day + settleDays > until ? "pending" : "available";
    add("fees", fee);
    let rest = amount - fee;
    for (const [who, points] of Object.entries(plans[plan]?.shares ?? {})) {
      const share = rounded((amount - fee) * points, 10_000);
      add(`${who} ${where}`, share);
      rest -= share;
    }
    add(`seller ${where}`, rest);
  }
  return cents;
}
