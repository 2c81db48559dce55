import type { Mode } from "@/prisma/client/enums";

/**
 * Every kind of account that holds money. A balance is not a column; it is a snapshot plus the
 * tail of entries not yet in it, so that a credit only inserts and never waits.
 */
export const kinds = {
  available: "what the owner can withdraw now",
  pending: "card sales not yet settled",
  blocked: "a refund under review, an open dispute",
  held: "withdrawals in flight",
  fees: "what the platform earned",
  unmatched: "money that a rail received and that belongs to no sale",
  clearing: "the other side of a Pix rail; negative is money that the rail owes us",
  card_clearing: "the same beyond the card acquirer",
  demo: "where the seeded sandbox balance comes from",
} as const;

/** The kinds whose balances an owner sees. */
export const ownKinds = ["available", "pending", "blocked", "held"] as const satisfies Kind[];
export type OwnKind = (typeof ownKinds)[number];

/**
 * Every way in which money can move: [from, to, which amount]. A move debits one account by what it credits another, so
 * an unbalanced posting cannot be written. Other nouns add their rows here and nowhere else.
 */
export const postings = {
  deposit_completed: [
    ["rail.clearing", "account.available", "net"],
    ["rail.clearing", "platform.fees", "fee"],
  ],
  split_paid: [["account.available", "recipient.available", "share"]],
  card_completed: [
    ["rail.card_clearing", "account.pending", "net"],
    ["rail.card_clearing", "platform.fees", "fee"],
  ],
  card_split_paid: [["account.pending", "recipient.pending", "share"]],
  card_settled: [["account.pending", "account.available", "amount"]],
  refund_requested: [
    ["account.available", "account.blocked", "rest"],
    ["account.pending", "account.blocked", "pending"],
  ],
  refund_released: [
    ["account.blocked", "account.available", "rest"],
    ["account.blocked", "account.pending", "pending"],
  ],
  refund_completed: [
    ["account.blocked", "rail.clearing", "amount"],
    ["account.blocked", "platform.fees", "fee"],
  ],
  card_refund_completed: [
    ["account.blocked", "rail.card_clearing", "amount"],
    ["account.blocked", "platform.fees", "fee"],
  ],
  share_returned: [["recipient.available", "account.available", "share"]],
  held_share_returned: [["recipient.blocked", "account.blocked", "share"]],
  share_held: [["recipient.pending", "recipient.blocked", "share"]],
  share_released: [
    ["recipient.blocked", "recipient.available", "settled"],
    ["recipient.blocked", "recipient.pending", "pending"],
  ],
  dispute_opened: [
    ["account.available", "account.blocked", "rest"],
    ["account.pending", "account.blocked", "pending"],
  ],
  dispute_won: [
    ["account.blocked", "account.available", "rest"],
    ["account.blocked", "account.pending", "pending"],
  ],
  dispute_lost: [["account.blocked", "rail.clearing", "amount"]],
  card_dispute_lost: [["account.blocked", "rail.card_clearing", "amount"]],
  chargeback_fee: [["account.available", "platform.fees", "fee"]],
  withdrawal_requested: [["account.available", "account.held", "total"]],
  withdrawal_released: [["account.held", "account.available", "total"]],
  withdrawal_paid: [
    ["account.held", "rail.clearing", "amount"],
    ["account.held", "platform.fees", "fee"],
  ],
  withdrawal_returned: [["rail.clearing", "account.available", "amount"]],
  withdrawal_paid_late: [
    ["account.available", "rail.clearing", "amount"],
    ["account.available", "platform.fees", "fee"],
  ],
  adjustment_credited: [["platform.fees", "account.available", "amount"]],
  adjustment_debited: [["account.available", "platform.fees", "amount"]],
  unmatched_received: [["rail.clearing", "platform.unmatched", "amount"]],
  card_unmatched_received: [["rail.card_clearing", "platform.unmatched", "amount"]],
  unmatched_matched: [
    ["platform.unmatched", "account.available", "net"],
    ["platform.unmatched", "platform.fees", "fee"],
  ],
  unmatched_credited: [["platform.unmatched", "account.available", "amount"]],
  unmatched_returned: [["platform.unmatched", "rail.clearing", "amount"]],
  unmatched_transferred: [["platform.unmatched", "rail.clearing", "amount"]],
  card_unmatched_returned: [["platform.unmatched", "rail.card_clearing", "amount"]],
  demo_funded: [["platform.demo", "account.available", "amount"]],
} as const satisfies Record<string, readonly (readonly [from: Address, to: Address, amount: string])[]>;

/** The operator's own account, of which its staff's history is. The same id in every installation. */
export const PLATFORM = "00000000-0000-7000-8000-000000000000";

/**
 * The owners of fees, clearing and the like, one for each mode, so that a sandbox's cents never add to live ones. The
 * same ids in every installation.
 */
export const platforms: Readonly<Record<Mode, string>> = {
  live: PLATFORM,
  sandbox: "00000000-0000-7000-8000-000000000001",
};

/** The postings that move money of a kind. */
export const postingsOf = (kind: Kind): string[] =>
  Object.entries<readonly (readonly string[])[]>(postings).flatMap(([type, moves]) =>
    moves.some((sides) => sides.some((side) => side.endsWith(`.${kind}`))) ? [type] : [],
  );

/** SQL: the mode of an account, which may be a platform. */
export const modeOf = (account: string) => `coalesce((select mode::text from accounts where id = ${account}),
    case ${account} when '${platforms.sandbox}' then 'sandbox' else 'live' end)`;

export type Kind = keyof typeof kinds;
export type Address = `${"account" | "recipient" | "platform" | "rail"}.${Kind}`;
export type PostingType = keyof typeof postings;

type Move<T extends PostingType> = (typeof postings)[T][number];
type OwnerIn<A> = A extends `${infer Owner}.${string}` ? Owner : never;

type OwnersIn<T extends PostingType> = OwnerIn<Move<T>[0] | Move<T>[1]>;

/**
 * The owners that a posting needs, derived from its moves, so that a forgotten one does not compile. What a rail holds is its
 * platform's, so both are named; null is the rail of a time when there was one.
 */
export type OwnersOf<T extends PostingType> = Record<Exclude<OwnersIn<T>, "rail">, string> &
  ("rail" extends OwnersIn<T> ? { platform: string; rail: string | null } : unknown);

/** Rails whose money stands under the plain name of its kind; that of any other has the rail's name behind it. */
export const plainRails = ["simulator", "cielo", "cards"] as const;

/** The kind of account in which a platform keeps what a rail holds, such as `clearing:efi`. */
export const kindAt = (kind: string, rail: string | null): string =>
  rail === null || plainRails.some((plain) => plain === rail) ? kind : `${kind}:${rail}`;
export type AmountsOf<T extends PostingType> = Record<Move<T>[2], number>;
