import type { Turn } from "@/lib/outside/budget";
import type { Accepted, Lost } from "@/lib/outside/calls";
import type { PixKeyType } from "@/prisma/client/enums";

/**
 * Payouts: what we need from a provider that sends our money to a Pix key. An adapter translates and decides nothing. Amounts
 * are cents.
 *
 * - A payout has our id, of 32 letters and digits, and the provider makes one payout of it at most. It is sent once: no
 *   second id is ever made for the same intent.
 * - A call throws when no answer came in time, or none that can be parsed: the outcome is unknown until it is read.
 *   `lost` means that no connection was made, so that surely nothing happened.
 */
export type PixPayouts = {
  /**
   * The age in ms from which on a payout that the provider does not know surely was never made and never will be, where the
   * provider guarantees that. Null where it does not: then a person decides.
   */
  lostAfterMs: number | null;

  /**
   * Who has a key, by the directory of all keys (DICT); null where it is nobody's. `document` is that of who is expected to
   * have it. Throws when it does not answer within 5 s. Undefined for a provider that tells nobody, and that compares the
   * document with the key's owner itself when it sends money.
   */
  lookUpKey?(asked: PixKey & { document?: string }): Promise<KeyOwner | null>;

  /** Sends money to a key. Throws within 8 s. */
  sendPayout(order: PayoutOrder): Promise<PayoutAnswer | Lost>;

  /** The truth about a payout; null when the provider does not know our id. Throws when it does not answer within 5 s of its `turn`. */
  findPayout(id: string, turn?: Turn): Promise<Payout | null>;

  /**
   * Every payout that changed from `since` to `until`, both included, by the provider's clock, in the order of their last
   * change. Throws when the provider does not answer.
   */
  payoutsChangedWithin(since: Date, until: Date): AsyncIterable<Payout>;

  /** Only simulated rails. */
  simulate?: PayoutSimulation;
};

/** A key as the directory writes it: a phone with +55, an EVP as a UUID. */
export type PixKey = { type: PixKeyType; key: string };

/** The document is a CPF or a CNPJ without punctuation, masked where the provider masks it. */
export type KeyOwner = { name: string; document: string; ispb: string };

export type PayoutOrder = PixKey & { id: string; amount: number; document: string; description?: string | null };

/** `failed`: no money was sent; `reason` is the provider's own text. */
export type PayoutAnswer =
  | Accepted
  | { status: "paid"; endToEndId: string; paidAt: Date }
  | { status: "failed"; reason: string | null };

export type Payout = {
  id: string;
  amount: number;
  answer: PayoutAnswer;
  /** Money of it that came back, the oldest first. */
  returns: PayoutReturn[];
  changedAt: Date;
};

/** `returnId` is the provider's own, one for each return. */
export type PayoutReturn = { returnId: string; amount: number; returnedAt: Date };

export type PayoutSimulation = {
  /** Says how a payout that was accepted ends. Returns false where it has ended. */
  endPayout(end: { id: string; isPaid: boolean }): Promise<boolean>;

  /** Returns money of a payout that was paid. Returns false where it was not, or is less. */
  returnPayout(sent: { id: string; amount: number }): Promise<boolean>;
};
