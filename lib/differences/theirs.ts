import type { Movement } from "@/lib/differences/movement";
import { digitsOf } from "@/lib/ids";
import type { ListedPix } from "@/lib/rails/pix/listed";
import type { Payout } from "@/lib/rails/pix/payouts";
import type { PixRail } from "@/lib/rails/pix/port";

/** What a PSP says of a payment and its returns. */
export const movementsOfPayment = ({ endToEndId, amount, paidAt, returns }: ListedPix): Movement[] => [
  {
    ...({ kind: "payment", id: endToEndId, parentId: null, amount, state: "done" } as const),
    ...{ happenedAt: paidAt, at: paidAt },
  },
  ...returns.map((one) => ({ ...one, kind: "return" as const, parentId: endToEndId, happenedAt: paidAt })),
];

/** The same of a payout and what came back of it. */
export const movementsOfPayout = ({ id, amount, answer, returns, changedAt }: Payout): Movement[] => [
  {
    ...({ kind: "payout", id, parentId: null, amount, state: payoutStates[answer.status] } as const),
    ...{ happenedAt: changedAt, at: answer.status === "paid" ? later(answer.paidAt, changedAt) : changedAt },
  },
  ...returns.map(({ returnId, amount, returnedAt: at }) => ({
    ...({ kind: "payout_return", id: returnId, parentId: id, amount, state: "done" } as const),
    ...{ happenedAt: changedAt, at },
  })),
];

const payoutStates = { accepted: "under_way", paid: "done", failed: "failed" } as const;
const later = (a: Date, b: Date) => (a > b ? a : b);

/**
 * One of our movements that a PSP's list does not have, as the PSP says it when it is asked about that alone, in the turn of lists,
 * of which this is a part; undefined where it does not know it. Throws when it does not answer.
 */
export async function askAboutOne(rail: PixRail, ours: Movement): Promise<Movement | undefined> {
  const { kind, id, parentId } = ours;
  if (kind === "payment") {
    const receipt = await rail.received(id, "list");
    return receipt ? movementsOfPayment({ ...receipt, returns: [], isOfOthers: false })[0] : undefined;
  }
  if (kind === "return") return askAboutReturn(rail, ours);
  const payout = await rail.payouts?.findPayout(kind === "payout" ? id : (parentId ?? ""), "list");
  return payout ? movementsOfPayout(payout).find((one) => one.kind === kind && one.id === id) : undefined;
}

async function askAboutReturn(rail: PixRail, ours: Movement): Promise<Movement | undefined> {
  const { id, parentId } = ours;
  if (id.includes(".")) {
    const dispute = await rail.disputes?.read(id, "list");
    return dispute ? { ...ours, amount: dispute.amount, state: disputeStates[dispute.status] } : undefined;
  }
  const found = await rail.findSentBack({ endToEndId: parentId ?? "", id: digitsOf(id) }, "list");
  return found ? { ...ours, state: returnStates[found.status] } : undefined;
}

const returnStates = { accepted: "under_way", completed: "done", failed: "failed" } as const;
const disputeStates = { open: "under_way", lost: "done", cancelled: "failed", won: "failed" } as const;
