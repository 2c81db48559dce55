import { type OwnKind, type PostingType, postings } from "@/lib/ledger/chart";
import type { Topic } from "@/lib/statement/schema";

type Move<T extends PostingType> = (typeof postings)[T][number];
type Owned<T extends PostingType> = Extract<Move<T>[0] | Move<T>[1], `${"account" | "recipient"}.${string}`>;

/** The postings that move money of an account or a recipient. */
export type OwnedType = { [T in PostingType]: Owned<T> extends never ? never : T }[PostingType];

/** What the lines of each posting are about, and what its source is a record of (`lib/statement/causes.ts`). */
export const abouts = {
  deposit_completed: ["sales", "sale"],
  split_paid: ["splits", "share"],
  card_completed: ["sales", "sale"],
  card_split_paid: ["splits", "share"],
  card_settled: ["sales", "saleOrShare"],
  refund_requested: ["refunds", "refund"],
  refund_released: ["refunds", "refund"],
  refund_completed: ["refunds", "refund"],
  refund_completed_late: ["refunds", "refund"],
  card_refund_completed: ["refunds", "refund"],
  share_returned: ["splits", "returnedShare"],
  held_share_returned: ["splits", "returnedShare"],
  share_held: ["splits", "returnedShare"],
  share_released: ["splits", "returnedShare"],
  dispute_opened: ["disputes", "dispute"],
  dispute_won: ["disputes", "dispute"],
  dispute_lost: ["disputes", "dispute"],
  card_dispute_lost: ["disputes", "dispute"],
  chargeback_fee: ["fees", "dispute"],
  withdrawal_requested: ["withdrawals", "withdrawal"],
  withdrawal_released: ["withdrawals", "withdrawal"],
  withdrawal_paid: ["withdrawals", "withdrawal"],
  withdrawal_returned: ["withdrawals", "withdrawal"],
  withdrawal_paid_late: ["withdrawals", "withdrawal"],
  adjustment_credited: ["adjustments", "adjustment"],
  adjustment_debited: ["adjustments", "adjustment"],
  unmatched_matched: ["sales", "sale"],
  unmatched_credited: ["adjustments", null],
  demo_funded: ["adjustments", null],
} as const satisfies Record<OwnedType, readonly [Topic, string | null]>;

type Sided = { type: OwnedType; kind: OwnKind; isCredit: boolean; part: number };
/** What is known of an entry. */
export type Entered = { type: string; kind: string; amount: number; part: number };

/**
 * Every line that a statement may have, from the ledger's chart. Whose side of the posting it is follows from it, because
 * no posting debits or credits the same kind of both.
 */
export const lines: readonly (Sided & { side: "account" | "recipient"; name: string; topic: Topic })[] = (
  Object.keys(abouts) as OwnedType[]
).flatMap((type) => {
  const debits = new Map<string, number>();
  return postings[type].flatMap(([from, to]) =>
    [from, to].flatMap((address) => {
      const [side = "", kind = ""] = address.split(".");
      if (side !== "account" && side !== "recipient") return [];
      const isCredit = address === to;
      const part = isCredit ? 1 : (debits.get(address) ?? 0) + 1;
      if (!isCredit) debits.set(address, part);
      const isFee = part === 2 && to === "platform.fees";
      const name = `${type}.${kind}_${isCredit ? "in" : "out"}${isFee ? "_fee" : ""}`;
      const topic = isFee ? "fees" : abouts[type][0];
      return [{ type, kind: kind as OwnKind, isCredit, part, side, name, topic } as const];
    }),
  );
});

/** The postings of which a second debit may be something else than the first. */
export const parted: readonly string[] = [...new Set(lines.filter(({ part }) => part > 1).map(({ type }) => type))];

const keyOf = (type: string, kind: string, isCredit: boolean, part: number) => `${type} ${kind} ${isCredit} ${part}`;
const byKey = new Map(lines.map((line) => [keyOf(line.type, line.kind, line.isCredit, line.part), line]));

/** The line of an entry; undefined for a posting of an earlier release that the chart no longer has. */
export const lineOf = ({ type, kind, amount, part }: Entered) => byKey.get(keyOf(type, kind, amount > 0, part));

/** The postings of a topic by part, as two lists of the same length. A fee is a part of a posting of another topic. */
export function postingsOf(topic: Topic): { types: string[]; parts: number[] } {
  const parted = new Set(lines.filter((line) => line.topic === topic).map(({ type, part }) => `${type} ${part}`));
  const pairs = [...parted].map((text) => text.split(" ") as [string, string]);
  return { types: pairs.map(([type]) => type), parts: pairs.map(([, part]) => Number(part)) };
}
