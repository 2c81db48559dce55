import type { Kind, PostingType } from "@/lib/ledger/chart";
import type { BillingMethod, Feature, TransactionMethod } from "@/prisma/client/enums";

/** What is written with an event about a sale, in bytes: a fixed part, and so often the event's own record. */
type Bytes = readonly [fixed: number, records: number];

type Method = {
  /** The word of the list for the type of such a sale, and V2's word for its method. */
  type: string;
  v2: string;
  /** Older spellings that the list's filter accepts beside V2's word. */
  olderFilters: readonly string[];
  /** What an account must be allowed to do to sell so; null where every account may. */
  feature: Feature | null;
  /**
   * Whether such a sale is paid by a code that its payer gets. It expires with its code, which may be given again, and
   * holds a place of a payment link with a number of payments.
   */
  byCode: boolean;
  /** The method by which an unpaid payment of a page of ours is begun anew. */
  renewedBy: TransactionMethod;
  /**
   * An account's fee schedule: its columns begin with `column`, which is also the interface's word, their fields with
   * `field`; and what a new account pays, in basis points and cents, until the operator changes it.
   */
  fee: { column: string; field: string; initial: { basisPoints: number; fixed: number; minimum: number } };
  /** The account's column of days until the money of such a sale becomes available; null where that is at once. */
  settlementDays: string | null;
  /** Who sends the money back to the payer: the rail that the payment came over, or the card's acquirer. */
  refundedBy: "rail" | "acquirer";
  /** Where the money goes to when the sale is paid. */
  paidInto: Kind;
  /**
   * The postings when the sale is paid, of each recipient's share of it, when its money becomes available, when it goes back
   * to the payer, and of money that belongs to no sale, when it comes and when it goes back.
   */
  postings: {
    completed: PostingType;
    shared: PostingType;
    settled: PostingType | null;
    refunded: "refund_completed" | "card_refund_completed";
    disputeLost: "dispute_lost" | "card_dispute_lost";
    unmatched: PostingType;
    unmatchedReturned: "unmatched_returned" | "card_unmatched_returned";
  };
  /** What such a sale becomes when a dispute took all that was left of it. */
  lostBy: "refund" | "chargeback";
  /** What its disputes are called, and whether the account's fee of a dispute is due when one is lost. */
  dispute: { kind: "med" | "chargeback"; hasFee: boolean };
  /** Its word in the cash contract; null where its events are not sent in that. */
  cash: string | null;
  /** What a webhook registers for to get only the events of such sales, in the event contract; null where nothing is. */
  ownEvent: "card" | null;
  /** The member of V2's `payment` that such a sale has. */
  paymentV2: "pix" | "card";
  /** What is written when such a sale is made, and when it is paid. */
  stored: { made: Bytes; paid: Bytes };
};

/**
 * Every method of payment, with all in which one differs from another. What only one of them has is in the folders of its
 * rail and of its noun: the Pix code in lib/deposits, the card's form in lib/charges. The names that people read are in
 * messages/methods.json.
 */
export const methods = {
  pix: {
    ...{ type: "cash_in", v2: "pix", olderFilters: [] },
    feature: null,
    ...{ byCode: true, renewedBy: "pix" },
    fee: { column: "pix_fee", field: "pixFee", initial: { basisPoints: 199, fixed: 0, minimum: 0 } },
    ...{ settlementDays: null, refundedBy: "rail" },
    paidInto: "available",
    postings: {
      ...{ completed: "deposit_completed", shared: "split_paid", settled: null },
      ...{
        refunded: "refund_completed",
        disputeLost: "dispute_lost",
        unmatched: "unmatched_received",
        unmatchedReturned: "unmatched_returned",
      },
    },
    lostBy: "refund",
    dispute: { kind: "med", hasFee: false },
    ...{ cash: "PIX", ownEvent: null, paymentV2: "pix" },
    // The sale's row, which has what the event's record has, the event, and both in the outbox and in indexes; then
    // another version of the row, the postings, the callback, and the simulated PSP's record.
    stored: { made: [0, 2.3], paid: [4_000, 1.7] },
  },
  card: {
    ...{ type: "card", v2: "credit_card", olderFilters: ["card"] },
    feature: "cards",
    ...{ byCode: false, renewedBy: "pix" },
    fee: { column: "card_fee", field: "cardFee", initial: { basisPoints: 399, fixed: 39, minimum: 0 } },
    ...{ settlementDays: "card_settlement_days", refundedBy: "acquirer" },
    paidInto: "pending",
    postings: {
      ...{ completed: "card_completed", shared: "card_split_paid", settled: "card_settled" },
      ...{
        refunded: "card_refund_completed",
        disputeLost: "card_dispute_lost",
        unmatched: "card_unmatched_received",
        unmatchedReturned: "card_unmatched_returned",
      },
    },
    lostBy: "chargeback",
    dispute: { kind: "chargeback", hasFee: true },
    ...{ cash: null, ownEvent: "card", paymentV2: "card" },
    // Beside that the call, what our rules need of it, and the simulated acquirer's record.
    stored: { made: [2_900, 1.6], paid: [3_900, 1.7] },
  },
} as const satisfies Record<TransactionMethod, Method>;

export type MethodName = keyof typeof methods;

/** Their names, in the order in which they are offered. */
export const methodNames = Object.keys(methods) as [TransactionMethod, ...TransactionMethod[]];

export type FeeColumn = (typeof methods)[TransactionMethod]["fee"]["column"];
export type FeeField = (typeof methods)[TransactionMethod]["fee"]["field"];
export type MethodV2 = (typeof methods)[TransactionMethod]["v2"];

/** What is made of each method. */
export const byMethod = <T>(make: (name: TransactionMethod) => T) =>
  Object.fromEntries(methodNames.map((name) => [name, make(name)])) as Record<TransactionMethod, T>;

/** What is made of each method, by the name that the interface has for its fee. */
export const byFee = <T>(make: (name: TransactionMethod) => T) =>
  Object.fromEntries(methodNames.map((name) => [methods[name].fee.column, make(name)])) as Record<FeeColumn, T>;

/** The methods of which something holds. */
export const methodsThat = (holds: (method: Method) => boolean): TransactionMethod[] =>
  methodNames.filter((name) => holds(methods[name]));

/** The method that V2, or a filter of the list, names so; undefined for another word. */
export const methodNamed = (word: string): TransactionMethod | undefined =>
  methodNames.find((name) => methods[name].v2 === word || (methods[name] as Method).olderFilters.includes(word));

/** The method that V2 names so. */
export const methodOfV2 = (word: MethodV2): TransactionMethod => methodNamed(word) as TransactionMethod;

/** SQL: whether a sale is of a method of which something holds. */
export const isMethodThat = (holds: (method: Method) => boolean, row?: string): string =>
  `${row === undefined ? "" : `${row}.`}method in (${methodsThat(holds)
    .map((name) => `'${name}'`)
    .join(", ")})`;

/** SQL: a word of the method of the sale `row`; null where the method has none. */
export const wordOfMethod = (wordOf: (method: Method) => string | null, row: string): string =>
  `(case ${row}.method ${methodNames
    .map((name) => [name, wordOf(methods[name])] as const)
    .flatMap(([name, word]) => (word === null ? [] : `when '${name}' then '${word}'`))
    .join(" ")} end)`;

type Billing = {
  /** The method of the sales by which cycles are paid. */
  method: TransactionMethod;
  /** How they are asked for: by a code that is sent, by a mandate that debits, or by the card on file. */
  by: "code" | "mandate" | "card";
  /** Whether its periods are calendar months where they can be (`lib/methods/periods.ts`). */
  inMonths: boolean;
};

/** Every way in which a plan can be billed. */
export const billingMethods = {
  qr_code: { method: "pix", by: "code", inMonths: false },
  pix_automatico: { method: "pix", by: "mandate", inMonths: true },
  credit_card: { method: "card", by: "card", inMonths: false },
} as const satisfies Record<BillingMethod, Billing>;

export type BillingName = keyof typeof billingMethods;

export const billingMethodNames = Object.keys(billingMethods) as [BillingMethod, ...BillingMethod[]];

/** Whether a plan of this billing method is charged on a card on file. */
export const isBilledByCard = (name: BillingMethod): boolean => billingMethods[name].by === "card";
