import type { Query, Tx } from "@/lib/db";
import type { Fact } from "@/lib/ledger/post";
import { type Change, changeBy, type Given, move, NOW, type Noun, type Within } from "@/lib/move";
import { recordOf, type Sale, saleOf } from "@/lib/transactions/sale";
import { isByCode, isPaid, isSettling, type SaleTransition, transitions } from "@/lib/transactions/states";
import type { TransactionStatus } from "@/prisma/client/enums";

type Paid = { paidAt: Date; endToEndId?: string; provider?: string; payer?: object; settleAt?: Date };
type Facts = {
  pay: Paid;
  /** `isHard`: the issuer would refuse this card again. */
  refuse: { reason: string; isHard: boolean };
  refund: { refunded: number; lost?: number };
  chargeback: { refunded: number; lost?: number };
};
type Key = { accountId: string; id: string };

/** The facts of a move. Instants are in real time, and are written on the account's clock. */
export type Move<T extends SaleTransition> = Key & {
  requestId?: string | undefined;
  /** What is posted if the sale moves. */
  posts?: readonly Fact[];
} & (T extends keyof Facts ? Facts[T] : unknown);

/** SQL: no payment pays twice. The function reads what was committed while this statement waited for the sale's lock. */
const IS_NOT_UNMATCHED = " and not is_unmatched(g.end_to_end_id, t.id)";

/** SQL: what of a sale went back to its payer, and when. */
const REFUNDED = `, refunded_amount = t.refunded_amount + coalesce(old.refunded, 0),
    lost_amount = t.lost_amount + coalesce(old.lost, 0), refunded_at = ${NOW}`;

/** SQL: the columns that a transition sets beside status and time, from the sale `t` and its move, `old`. */
const sets: Partial<Record<SaleTransition, string>> = {
  pay: `, paid_at = old.paid_at + old.ahead, settle_at = old.settle_at + old.ahead, end_to_end_id = old.end_to_end_id,
      provider = old.provider, payer = old.payer, late = coalesce(t.expires_at < old.paid_at + old.ahead, false)`,
  refuse: ", refused_reason = old.reason, refused_hard = old.is_hard",
  refund: REFUNDED,
  chargeback: REFUNDED,
  // A sale that ends before its time expires now, so that a later payment counts as late.
  expire: `, expires_at = least(t.expires_at, ${NOW})`,
};

function changeOf(name: SaleTransition): Change {
  const transition = transitions[name];
  const byCode = "byCode" in transition ? ` and ${isByCode("t")}` : "";
  return changeBy(transition, sets[name], name === "pay" ? `${byCode}${IS_NOT_UNMATCHED}` : byCode);
}

const named = Object.keys(transitions) as SaleTransition[];

/** Every change of a sale: its transitions, and two that leave its status. */
const noun: Noun<SaleTransition | "code" | "settle" | "refundPart"> = {
  subject: "transaction",
  table: "transactions",
  facts: {
    ...{ paid_at: "timestamptz", settle_at: "timestamptz", end_to_end_id: "text", provider: "text", payer: "jsonb" },
    ...{ reason: "text", is_hard: "boolean", pix_code: "text", refunded: "bigint", lost: "bigint" },
  },
  record: recordOf,
  changes: {
    ...(Object.fromEntries(named.map((name) => [name, changeOf(name)])) as Record<SaleTransition, Change>),
    code: {
      from: `t.status = 'pending' and ${isByCode("t")} and t.pix_code is null`,
      set: `pix_code = old.pix_code, updated_at = ${NOW}`,
    },
    refundPart: {
      from: isPaid("t"),
      set: `updated_at = ${NOW}${REFUNDED}`,
      silent: true,
    },
    settle: {
      from: isSettling("t"),
      set: `settled_at = ${NOW}`,
      silent: true,
    },
  },
};

/**
 * Moves sales by a transition, each with its event and its postings, in one statement of a transaction. Of two calls at
 * once only the first finds a sale in a status from which it may move. A sale in another status or out of scope stays as
 * it is and is not returned. The transaction must have every account in scope that a posting names.
 */
export const moveSales = <T extends SaleTransition>(tx: Tx | Query, transition: T, moves: readonly Move<T>[]) =>
  change(tx, transition, moves);

/**
 * The same as one prepared statement and one round trip, of any accounts, for what comes in crowds. A caller's request
 * must never name the sales.
 */
export const moveSalesNow = <T extends SaleTransition>(transition: T, moves: readonly Move<T>[]) =>
  change("alone", transition, moves);

/**
 * Writes the codes that a rail made for pending deposits, each with an event; the status stays. Of two calls at once
 * only the first finds a deposit without a code.
 */
export const writePixCodes = (tx: Tx | Query, codes: readonly (Key & { pixCode: string })[]) =>
  change(tx, "code", codes);

/**
 * Notes that a part of paid sales went back to their payers, or all of one that is charged back too, with the postings; status
 * and history stay. Amounts in cents.
 */
export const refundPart = (tx: Tx | Query, sales: readonly Move<"refund">[]) => change(tx, "refundPart", sales);

/** Writes which card on file a pending sale is about to be charged on; the status stays. */
export const writeCard = (tx: Tx, { accountId, id }: Key, { brand: cardBrand, last4: cardLast4 }: Card) =>
  tx.transaction.update({ where: { accountId_id: { accountId, id } }, data: { cardBrand, cardLast4 } });

type Card = { brand: string; last4: string };

/**
 * Marks the money of card sales as available, on each account's clock, with their postings; status and history stay.
 * Of two calls at once only the first finds a sale unmarked. Returns the sales that this call marked.
 */
export const markSettled = (tx: Tx | Query, sales: readonly Move<"fail">[]) => change(tx, "settle", sales);

type Moving = Move<"fail"> &
  Partial<Paid & { reason: string; isHard: boolean; pixCode: string; refunded: number; lost: number }>;

async function change(
  within: Within,
  name: keyof typeof noun.changes,
  moves: readonly Moving[],
): Promise<{ sale: Sale; previous: TransactionStatus }[]> {
  const moved = await move(within, noun, name, moves.map(givenOf));
  return moved.map(({ record, previous }) => ({ sale: saleOf(record), previous: previous as TransactionStatus }));
}

const givenOf = ({ accountId, id, requestId, posts, ...facts }: Moving): Given => ({
  ...{ accountId, id, requestId, posts },
  facts: {
    paid_at: facts.paidAt,
    settle_at: facts.settleAt,
    end_to_end_id: facts.endToEndId,
    provider: facts.provider,
    payer: facts.payer,
    reason: facts.reason,
    is_hard: facts.isHard,
    pix_code: facts.pixCode,
    refunded: facts.refunded,
    lost: facts.lost,
  },
});
