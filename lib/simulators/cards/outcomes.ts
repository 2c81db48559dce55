/** The issuer's decision, and how the acquirer behaves at the first request. */
export type Outcome = {
  status: "approved" | "refused";
  refused_reason: string | null;
  answers: "at once" | "slow" | "never";
};

const approved: Outcome = { status: "approved", refused_reason: null, answers: "at once" };
const refused = (reason: string): Outcome => ({ status: "refused", refused_reason: reason, answers: "at once" });

/** Of a card whose month is over, whatever its number. */
export const EXPIRED: Outcome = refused("expired_card");

/** The refusals after which the issuer refuses the same card again. */
const forGood: ReadonlySet<string> = new Set(["expired_card", "invalid_cvv", "stolen_card"]);

export const isForGood = (reason: string): boolean => forGood.has(reason);

/** The published test numbers: the number chooses the outcome. Any other valid number is approved. */
const outcomes: ReadonlyMap<string, Outcome> = new Map([
  ["4000000000000002", refused("do_not_honor")],
  ["4000000000009995", refused("insufficient_funds")],
  ["4000000000000069", EXPIRED],
  ["4000000000000127", refused("invalid_cvv")],
  ["4000000000009979", refused("stolen_card")],
  ["4000000000000101", { ...approved, answers: "slow" }],
  ["4000000000000119", { ...approved, answers: "never" }],
  ["4000000000000259", { ...refused("processing_error"), answers: "never" }],
]);

export const outcomeOf = (number: string): Outcome => outcomes.get(number) ?? approved;

/** 13 to 19 digits that pass the Luhn check. */
export function isCardNumber(text: string): boolean {
  if (!/^\d{13,19}$/.test(text)) return false;
  const sum = [...text].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
