/**
 * Cielo's ReturnCodes of refused sales in our words: those that ABECS made standard, and those of Cielo's own on which
 * its manuals agree. Codes that mean different things by brand, or in its sandbox and in production (57, 70), are left
 * out.
 */
const codes: Readonly<Record<string, string>> = {
  do_not_honor: "05 FA 100",
  insufficient_funds: "51 A5 DM 116 121",
  expired_card: "54 BV",
  invalid_cvv: "08 63 N7",
  stolen_card: "41 43",
  processing_error: "91 92 96 98 99 999 AA AE",
};

/** Cielo's ReturnCodes of voids that it takes on: of a part, and of all that is left. */
export const acceptedVoids: ReadonlySet<number | undefined> = new Set([0, 9]);

/**
 * Its ReturnCodes of voids that it surely does not make (its table of cancellation codes). Left out are those after which a
 * void may have been made or may still be: 5, 10, 17, 42, 57, 97, 98, 99.
 */
export const refusedVoids: ReadonlySet<number | undefined> = new Set([
  3, 40, 41, 43, 51, 52, 53, 54, 55, 56, 58, 60, 72, 76, 77, 100,
]);

const withoutZeros = (code: string) => code.replace(/^0+/, "");

const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries(codes).flatMap(([reason, list]) => list.split(" ").map((code) => [withoutZeros(code), reason])),
);

/** Why a sale was refused; `unknown` for a code that is not in the table. */
export const reasonOf = (code: unknown): string => reasons.get(withoutZeros(String(code))) ?? "unknown";
