import type { Brand } from "@/lib/pan/brands";

/** The reasons of a refusal for which the catalogue has a text. */
export type Reason =
  | "do_not_honor"
  | "insufficient_funds"
  | "expired_card"
  | "invalid_cvv"
  | "stolen_card"
  | "processing_error"
  | "antifraud";

export type TestCard = {
  number: string;
  brand: Brand;
  /** When the answer arrives: at once, after some seconds, or only when the acquirer is asked again. */
  answer: "at_once" | "delayed" | "asked_again";
  /** The reason of the refusal; null for an approved card. */
  refused: Reason | null;
  /** Whether its kept copy soon expires, whatever expiry was typed (`lib/charges/stored-card.ts`). */
  expires?: true;
};

const approved = (number: string, brand: Brand, answer: TestCard["answer"] = "at_once"): TestCard => ({
  number,
  brand,
  answer,
  refused: null,
});
const refused = (number: string, reason: Reason, answer: TestCard["answer"] = "at_once"): TestCard => ({
  number,
  brand: "visa",
  answer,
  refused: reason,
});

/** The numbers that choose a sandbox charge's outcome. */
export const testCards: readonly TestCard[] = [
  approved("4111111111111111", "visa"),
  approved("5555555555554444", "mastercard"),
  approved("6362970000457013", "elo"),
  { ...approved("4000000000000309", "visa"), expires: true },
  refused("4000000000000002", "do_not_honor"),
  refused("4000000000009995", "insufficient_funds"),
  refused("4000000000000069", "expired_card"),
  refused("4000000000000127", "invalid_cvv"),
  refused("4000000000009979", "stolen_card"),
  refused("4100000000000019", "antifraud"),
  approved("4000000000000101", "visa", "delayed"),
  approved("4000000000000119", "visa", "asked_again"),
  refused("4000000000000259", "processing_error", "asked_again"),
];
