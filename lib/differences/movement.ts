import type { DifferenceFault, DifferenceKind } from "@/lib/differences/states";
import type { MoveState } from "@/lib/rails/pix/listed";

/** One movement of money, as a PSP has it or as we have it. Amounts are cents. */
export type Movement = {
  kind: DifferenceKind;
  /** The end-to-end id of a payment, our id of a return or payout, or the PSP's where it is not ours. */
  id: string;
  /** The payment of a return, or the payout of what came back of it. */
  parentId: string | null;
  amount: number;
  state: MoveState;
  /** When its payment was paid or its payout sent. */
  happenedAt: Date;
  /** When it was last changed. */
  at: Date;
  /** Whose it is, of one of ours. */
  accountId?: string;
};

/** A difference, with what each side has. */
export type Difference = { fault: DifferenceFault; theirs?: Movement | undefined; ours?: Movement | undefined };

/** By what a movement is known within its PSP, the same for both sides. */
export const keyOf = ({ kind, id }: Pick<Movement, "kind" | "id">) => `${kind} ${id}`;

/** Whether one side of a movement changed after `settledBy`, so that the other may not have it yet. */
export const isUnsettled = (theirs: Movement | undefined, ours: Movement | undefined, settledBy: Date) =>
  [theirs, ours].some((one) => one !== undefined && one.at > settledBy);

/**
 * In what a movement of a PSP differs from ours. Undefined where they agree, and where only one side has it and no money moved.
 */
export function differenceOf(theirs: Movement | undefined, ours: Movement | undefined) {
  const fault = faultOf(theirs, ours);
  return fault && { fault, theirs, ours };
}

function faultOf(theirs: Movement | undefined, ours: Movement | undefined): DifferenceFault | undefined {
  if (!theirs) return ours?.state === "done" ? "missing_there" : undefined;
  if (!ours) return theirs.state === "done" ? "missing_here" : undefined;
  if (theirs.amount !== ours.amount) return "amount";
  return theirs.state === ours.state ? undefined : "state";
}
