import type { Turn } from "@/lib/outside/budget";
import type { Lost } from "@/lib/outside/calls";

/** Why a payer disputes a payment. An adapter maps the words of its provider to these. */
export type DisputeReason =
  | "fraud"
  | "operational_flaw"
  | "not_received"
  | "not_as_described"
  | "duplicate"
  | "not_recognised"
  | "other";

/**
 * A dispute in its provider's records: a MED of a Pix, or a chargeback of a card. `id` is the provider's own, `paymentId` the
 * end-to-end id of a Pix, or our id of a charge. Amounts are cents; `lostAmount` is 0 unless it is lost, and never more than the
 * amount.
 */
export type ReportedDispute = {
  id: string;
  paymentId: string;
  reason: DisputeReason;
  amount: number;
  status: "open" | "cancelled" | "won" | "lost";
  lostAmount: number;
};

/** A file of a defence, by which its provider knows it; whoever decides asks for the file itself. */
export type Evidence = { name: string; contentType: string; size: number; sha256: string };

/** The provider has the defence, or refuses it, as after the end of its dispute. */
export type Defended = { status: "defended" } | { status: "refused"; reason: string | null };

/** What we need from a provider whose payments can be disputed. All of it throws when no answer came, or none that can be parsed. */
export type Disputes = {
  /** The dispute under the provider's id; null when it knows none. Throws when it does not answer within 5 s of its `turn`. */
  read(id: string, turn?: Turn): Promise<ReportedDispute | null>;

  /**
   * Every dispute that is open, page by page, so that one is found whose callback never came; where that is too much for a look,
   * a part of them, and others at the next looks. Ones that have ended may be among them.
   */
  listOpen(): AsyncIterable<ReportedDispute>;

  /** Sends the seller's defence. A repeat with the same content is accepted once. `lost` where surely nothing was sent. */
  defend(defence: { id: string; text: string; evidence: readonly Evidence[] }): Promise<Defended | Lost>;

  /** Only simulated rails: plays the payer. Null where no more of the payment can be disputed. */
  open?(dispute: { paymentId: string; reason: DisputeReason; amount?: number }): Promise<ReportedDispute | null>;

  /** Only simulated rails: ends a dispute. False where it has ended. */
  end?(end: { id: string; status: "cancelled" | "won" | "lost"; lostAmount?: number }): Promise<boolean>;
};
