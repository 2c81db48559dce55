import { env } from "@/lib/env";
import type { Lost } from "@/lib/rails/calls";
import { cielo } from "@/lib/rails/cards/cielo/adapter";
import { simulator } from "@/lib/rails/cards/simulator/adapter";

/**
 * What we need from a provider that charges cards for us. An adapter translates; it decides nothing. Amounts are cents.
 * What it throws says that the outcome is unknown, and nothing of the card: not in a message, a stack or a cause.
 */
export type Acquirer = {
  /** Names the acquirer in `rail_calls`. */
  provider: string;

  /**
   * Charges. Asked once for each `id` and never again: not every acquirer knows a repeat by it. Throws within 8 s
   * (operations.md section 3) when there was no answer, or none that can be read, or when this id is another charge's:
   * then the outcome is unknown, never refused, and `find` finds it. `lost` where surely nothing was charged: nobody was
   * reached, or the request was not accepted.
   */
  charge(charge: {
    /** Our own UUID of this intent. */
    id: string;
    amount: number;
    /** 1 to 12. */
    installments: number;
    card: PlainCard;
    /** By our table: `lib/pan/brands.ts`. */
    brand: string;
    /** Whether the holder lets us keep the card with this charge, or is not there because we had kept it. */
    onFile?: "first" | "later";
    /** The name on the holder's statement; an adapter cuts it to what its acquirer accepts. */
    softDescriptor: string;
  }): Promise<Outcome | Lost>;

  /**
   * What became of our id; null: the acquirer does not know it, though a charge still on its way may yet arrive, for as
   * long as `charge` waits. Throws when it does not answer, within 5 s and never after 9 (the last thing to fail may be a
   * connection), or answers with another amount.
   */
  find(charge: { id: string; amount: number }): Promise<Outcome | null>;

  /**
   * Every charge approved at or after `since`, oldest first, page by page. Throws when it does not answer. Not there
   * where an acquirer answers only about charges that it is asked for by id.
   */
  approvedSince?(since: Date): AsyncIterable<Approved>;
};

/** A charge in the acquirer's records: our id, and when by its own clock. */
export type Approved = { id: string; amount: number; at: Date };

/** `reason` is the acquirer's own word for it, lower case with underscores: `do_not_honor`. */
export type Outcome = { status: "approved" } | { status: "refused"; reason: string };

/** A card as it is charged, in memory only: `expiry_month` 01 to 12, `expiry_year` of 4 digits. On file it has no CVV. */
export type PlainCard = {
  number: string;
  holder_name: string;
  expiry_month: string;
  expiry_year: string;
  cvv?: string;
};

/** Cielo, where it is configured. The settings are read when somebody asks: a build has none. */
const live = () => (env.CIELO_MERCHANT_ID ? cielo : null);

/** Who charges cards for an account of this mode. Null: nobody is configured. */
export const acquirerFor = (mode: "live" | "sandbox"): Acquirer | null => (mode === "sandbox" ? simulator : live());

/** The acquirer of a charge made earlier. Null for a name that is none, or of one that is no longer configured. */
export const acquirerNamed = (name: string): Acquirer | null =>
  everyAcquirer().find(({ provider }) => provider === name) ?? null;

export const everyAcquirer = (): Acquirer[] => [simulator, live()].filter((acquirer) => acquirer !== null);
