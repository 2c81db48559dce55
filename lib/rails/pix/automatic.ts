import type { PeriodName } from "@/lib/methods/periods";
import type { Lost } from "@/lib/outside/calls";
import type { Payer } from "@/lib/rails/pix/receipt";

/**
 * Pix Automático: what we need from a provider that debits a payer's account by a mandate. An adapter translates and
 * decides nothing. Amounts are cents, dates are days written YYYY-MM-DD in São Paulo, `at` is the account's own time
 * (`businessNow`): a sandbox's clock may be ahead, a live rail goes by its own clock and ignores it.
 *
 * The words of the Central Bank's API Pix: a mandate is a `rec`, a debit is a `cobr`.
 *
 * - All may be repeated under the same id with the same content, also at once: it happens once, and each repeat gets the
 *   state as it is.
 * - An offer is the exception: two at once under one contract may become two mandates, because the standard has no id of ours
 *   for it. It is sent once, and after that found.
 * - A call throws when no answer came in time, or none that can be parsed: the outcome is unknown until it is read.
 *   `lost` means that no connection was made or the request was not accepted, so that surely nothing happened.
 * - The money of a mandate's first payment and of its debits arrives as any other: a callback and a `Receipt` of the
 *   port, with their txid. `Debit.endToEndId` only names it.
 */
export type AutomaticPix = {
  /** Offers a mandate. `refused` where the rail does not accept its terms. */
  offerMandate(offer: MandateOffer): Promise<Offered | Refused | Lost>;

  /**
   * The mandate that was offered under our contract within the 30 days before `at`: the standard finds mandates by debtor and
   * time alone. Null where there is none, although an offer may still be on its way.
   */
  findMandate(offer: Pick<MandateOffer, "contract" | "debtor" | "at">): Promise<Offered | null>;

  /** The truth about a mandate. Null when the rail does not know it. */
  readMandate(mandateId: string): Promise<Mandate | null>;

  /** Ends an offer or a mandate, and cancels its debits under way. `refused` where it was rejected or has expired. */
  cancelMandate(mandateId: string): Promise<Mandate | Refused>;

  /**
   * Instructs a debit. `refused` unless it is due in 2 to 10 days, the mandate is approved, its amount is the mandate's,
   * and no other debit of it is due in the same cycle, unless that was rejected or cancelled.
   */
  instructDebit(debit: DebitOrder & Repeatable): Promise<Debit | Refused | Lost>;

  /** The truth about a debit. Null when the rail does not know it. */
  readDebit(txid: string): Promise<Debit | null>;

  /** Cancels a debit. `refused` from the day of its first attempt on. */
  cancelDebit(debit: { txid: string; at: Date }): Promise<Debit | Refused>;

  /**
   * Asks for another attempt on a later day than today, at most 7 days after the due date, at most 3 times, and only
   * after the last attempt ended unpaid. `refused` otherwise.
   */
  retryDebit(retry: { txid: string; date: string; at: Date } & Repeatable): Promise<Debit | Refused>;

  /** Only simulated rails. */
  simulate?: AutomaticSimulation;
};

export type MandateOffer = {
  /** Our id of the mandate: 1 to 35 letters and digits. The payer sees it. */
  contract: string;
  /** A week, or 1, 3, 6 or 12 calendar months from the first date. */
  period: PeriodName;
  /** The day of the first debit; a payment by the code comes before it. An open offer expires after this day. */
  firstDate: string;
  /** What each debit takes, or null where each names its own amount. */
  amount: number | null;
  /** What the payer recognises; an adapter cuts it to 35 characters. */
  description: string;
  /** Who is to authorise. The document is a CPF or a CNPJ without punctuation. */
  debtor: { name: string; document: string };
  /** Whose mandate it is. */
  accountId: string;
  merchantName: string;
  merchantCity: string;
  /**
   * The first payment, by the same code: paying it authorises the mandate (journey 3). Without it the code only asks to
   * authorise (journey 2). Its txid has 26 to 35 letters and digits.
   */
  first?: { txid: string; amount: number; validMs: number };
  at: Date;
};

/** A mandate that the payer can authorise by its BR Code. `mandateId` is the rail's own id. */
export type Offered = { status: "offered"; mandateId: string; code: string };

/** The rail did not do it and never will. `reason` is its own text, for the log. */
export type Refused = { status: "refused"; reason: string };

export type Mandate = {
  mandateId: string;
  contract: string;
  /** `rejected`: the payer refused the offer. */
  status: "created" | "approved" | "rejected" | "expired" | "cancelled";
  /** Who cancelled it; null while nobody did. */
  cancelledBy: Side | null;
  /** The rail's code of the rejection or cancellation. */
  reason: string | null;
};

export type Side = "payer" | "payer_bank" | "receiver" | "receiver_bank";

/**
 * `isRepeat`: the same was asked for some minutes ago at most and had no answer. A refusal then tells nothing, because what was
 * taken may not be found yet, and the call throws.
 */
export type Repeatable = { isRepeat?: boolean };

export type DebitOrder = {
  /** 26 to 35 letters and digits. It returns with the money. */
  txid: string;
  mandateId: string;
  amount: number;
  dueDate: string;
  description?: string;
  at: Date;
};

export type Debit = {
  txid: string;
  mandateId: string;
  amount: number;
  dueDate: string;
  /**
   * `created`: the payer's bank has not answered. `active`: it will try, or an attempt failed and another may be asked
   * for. `expired`: unpaid, and no attempt is left. `rejected`: the payer's bank refused it for good.
   */
  status: "created" | "active" | "concluded" | "expired" | "rejected" | "cancelled";
  /** The payment's id, once it is concluded. */
  endToEndId: string | null;
  cancelledBy: Side | null;
  /** The rail's code of the rejection or cancellation. */
  reason: string | null;
  /** Oldest first. */
  attempts: Attempt[];
};

export type Attempt = {
  date: string;
  /** `retry`: one that we asked for. `resent`: the rail's own, after a failure of its. */
  kind: "first" | "retry" | "resent";
  /** `expired`: the account did not have the money on that day. */
  status: "requested" | "scheduled" | "paid" | "expired" | "rejected" | "cancelled";
  reason: string | null;
};

/** What the payer's account does with a debit; `away`: the payer's bank does not answer. */
export const accountStates = ["enough", "none", "closed", "away"] as const;
export type AccountState = (typeof accountStates)[number];

/**
 * Plays the payer and lets days pass. `pay` of the port pays and authorises by the code with the first payment. Each
 * change is reported by callback as on a live rail. Throws when the rail refuses.
 */
export type AutomaticSimulation = {
  authorise(mandateId: string, payer?: Partial<Payer>): Promise<void>;
  refuse(mandateId: string): Promise<void>;
  cancel(mandateId: string): Promise<void>;
  /** `enough` until it is set. */
  setAccount(mandateId: string, state: AccountState): Promise<void>;

  /**
   * What a live rail does by itself as days pass: open offers expire, debits are accepted and, when their day has come,
   * paid or not. Resolves to what changed; its truth is read as after a callback. A repeat changes nothing more.
   */
  passDays(mandateIds: readonly string[], at: Date): Promise<{ mandateIds: string[]; txids: string[] }>;
};
