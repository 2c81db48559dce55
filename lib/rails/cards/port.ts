import type { Lost } from "@/lib/outside/calls";
import type { Callback, CallbackRequest } from "@/lib/outside/inbox";
import type { Disputes } from "@/lib/rails/disputes";
import type { SentBack } from "@/lib/rails/sent-back";

/**
 * What we need from a provider that charges cards for us. An adapter translates and decides nothing. Amounts are cents.
 * An error that it throws means that the outcome is unknown, and never shows the card in message, stack or cause.
 */
export type Acquirer = {
  /** The acquirer's name in `calls`. */
  provider: string;

  /**
   * Charges a card. It is called only once for each `id`, because not every acquirer recognises a repeat. Throws within
   * 8 s when no answer came, or none that can be parsed, or when this id is another charge's.
   * The outcome is then unknown, never refused, and `find` finds it. `lost` where surely nothing was charged, because
   * no connection was made or the request was not accepted.
   */
  charge(charge: {
    /** Our own UUID of this intent. */
    id: string;
    amount: number;
    /** 1 to 12. */
    installments: number;
    card: PlainCard;
    /** The brand by our table, `lib/pan/brands.ts`. */
    brand: string;
    /**
     * `first`: the holder lets us keep the card with this charge. `later`: we kept it before, and the holder is absent.
     * Where the charges recur by agreement, `first_recurring` opens them, and those that the seller begins alone are `recurring`,
     * or `replaced` where it is the first one of a card that the holder gave in place of another.
     */
    onFile?: OnFile;
    /** The name on the holder's statement; an adapter cuts it to what its acquirer accepts. */
    softDescriptor: string;
    /** The present on the account's clock, by which a simulated issuer judges the card's expiry. */
    at?: Date;
  }): Promise<Outcome | Lost>;

  /**
   * The outcome under our id; null when the acquirer does not know it, although a charge may still be on its way for as
   * long as `charge` waits. Money that is held on the card and not taken is taken where the sale still waits for it
   * (`isWanted`), and let go where it does not, so that no money stays held. Throws when the acquirer does not answer within
   * 5 s (9 s if the last step is a connection), or answers with another amount.
   */
  find(charge: { id: string; amount: number; isWanted: boolean }): Promise<Outcome | null>;

  /**
   * Sends money of an approved charge back to its card. It is called again for an `id` only after `lost`, or where
   * `findSentBack` found nothing a quarter of an hour later, because not every acquirer recognises a repeat. Throws within
   * 8 s when no answer came, or none that can be parsed: it is then unknown. `lost` where surely nothing was sent.
   */
  sendBack(refund: Returning): Promise<SentBack | Lost>;

  /**
   * What became of it; null when nothing of it was sent back so far. Throws when the acquirer does not answer within 5 s,
   * or what went back in all is neither with nor without this.
   */
  findSentBack(refund: Returning): Promise<SentBack | null>;

  /**
   * Every charge approved at or after `since`, oldest first, page by page. Throws when it does not answer. Undefined
   * for an acquirer that answers only about single ids.
   */
  approvedSince?(since: Date): AsyncIterable<Approved>;

  /** Disputes of its charges (chargebacks). Undefined for an acquirer that reports none. */
  disputes?: Disputes;

  /**
   * Parses a body that the acquirer has sent: all callbacks in it, each about a chargeback by the acquirer's id of it, in which
   * "unreadable" stands for each that has another form. Null when it is forged, or signed more than 300 s away from `now`.
   * Throws SyntaxError when it is no callback. Undefined for an acquirer that calls nobody back.
   */
  verifyCallback?(
    sent: CallbackRequest,
    now: Date,
  ): readonly ((Callback & { kind: "chargeback" }) | "unreadable")[] | null;
};

/**
 * Money of a charge that goes back under our `id`, in cents. `before` is what went back of the charge before; nothing else
 * of it is on its way.
 */
export type Returning = { chargeId: string; id: string; amount: number; before: number };

/** How a charge uses a card on file. */
export type OnFile = "first" | "later" | "first_recurring" | "recurring" | "replaced";

/** A charge in the acquirer's records: our id, the amount, and the time by the acquirer's clock. */
export type Approved = { id: string; amount: number; at: Date };

/**
 * `reason` is a word in lower case with underscores, `do_not_honor`. `isHard`: the issuer would refuse the same card again, so that
 * it is not tried again.
 */
export type Outcome = { status: "approved" } | { status: "refused"; reason: string; isHard: boolean };

/** A card to charge, in memory only: `expiry_month` 01 to 12, `expiry_year` of 4 digits. A card on file has no CVV. */
export type PlainCard = {
  number: string;
  holder_name: string;
  expiry_month: string;
  expiry_year: string;
  cvv?: string;
};
