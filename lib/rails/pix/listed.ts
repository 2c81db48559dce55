/**
 * A payment as its rail lists it, with all that went back of it. Amounts are cents, times the rail's. One that seems to be
 * another system's is no business of ours unless we have it.
 */
export type ListedPix = {
  endToEndId: string;
  amount: number;
  paidAt: Date;
  returns: ListedReturn[];
  isOfOthers: boolean;
};

/** A return has our id, or that of the dispute where it is not ours. `at` is when it was last changed. */
export type ListedReturn = { id: string; amount: number; state: MoveState; at: Date };

/** Whether money is on its way, has arrived, or was not sent. */
export const moveStates = ["under_way", "done", "failed"] as const;
export type MoveState = (typeof moveStates)[number];
