import { codeOf, type Decline, declineOf } from "@/lib/rails/cards/abecs";

/**
 * Cielo's own ReturnCodes of refused sales, which are no brand's. None is final: 98, 99 and 999 are time-outs, and the others may
 * be tried again on another day. Left out is 70, which means other things in its sandbox and in production.
 */
const own: Readonly<Record<string, string>> = {
  do_not_honor: "60",
  insufficient_funds: "DM",
  card_blocked: "67",
  processing_error: "89 98 99 999 AA",
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

export const ownReasons: readonly string[] = Object.keys(own);

const byCode: ReadonlyMap<string, string> = new Map(
  Object.entries(own).flatMap(([reason, list]) => list.split(" ").map((code) => [code, reason])),
);

/** Why a sale was refused, by the brand of its card; `unknown`, and not final, for a code that is in no table. */
export const declinedBy = (brand: string | null, returnCode: unknown, advice: string | null): Decline => {
  const code = codeOf(returnCode);
  return declineOf(brand, code, advice && codeOf(advice)) ?? { reason: byCode.get(code) ?? "unknown", isHard: false };
};
