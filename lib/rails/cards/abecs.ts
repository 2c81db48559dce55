/** What a code of a refusal means: our word for it, and whether the issuer would refuse the same card again. */
export type Decline = { reason: string; isHard: boolean };

const [SOFT, HARD] = [false, true];

/** Codes by brand. Those of Amex are the issuer's own, and the two letters that an acquirer shows in their place. */
type Codes = { elo?: string; visa?: string; mastercard?: string; amex?: string };

/**
 * ABECS's table of refusals (normative 21; docs.cielo.com.br/ecommerce-cielo/page/abecs, read in November 2026), which brands and
 * acquirers share in Brazil: our word, whether it is irreversible (hard), and the codes by brand. One number means other things
 * by brand, and sometimes several at one brand: the likeliest meaning stands first.
 */
const table: readonly [reason: string, isHard: boolean, codes: Codes][] = [
  ["do_not_honor", SOFT, { elo: "5", visa: "5", mastercard: "5", amex: "100 FA" }],
  ["insufficient_funds", SOFT, { elo: "51", visa: "51", mastercard: "51", amex: "116 121 A5" }],
  ["expired_card", HARD, { elo: "54", visa: "54", mastercard: "54", amex: "101 BV" }],
  ["not_permitted", HARD, { elo: "57", visa: "57", amex: "200 FD" }],
  ["not_permitted", SOFT, { mastercard: "57" }],
  ["invalid_number", HARD, { elo: "14 56", visa: "14 15", mastercard: "14 1 15", amex: "122 8" }],
  ["invalid_cvv", HARD, { elo: "63 82", visa: "N7 63 82", mastercard: "88", amex: "122 180" }],
  ["suspected_fraud", SOFT, { elo: "59", visa: "59", mastercard: "63", amex: "100" }],
  ["stolen_card", HARD, { elo: "41 43", visa: "41 43", mastercard: "41 43", amex: "200" }],
  ["closed_account", HARD, { elo: "46", visa: "46", mastercard: "62" }],
  ["card_blocked", SOFT, { elo: "62 78", visa: "62 78", mastercard: "57" }],
  ["card_blocked", HARD, { visa: "4", mastercard: "4" }], // the issuer takes the card back
  ["suspected_fraud", HARD, { elo: "57", visa: "7", mastercard: "4", amex: "200" }],
  ["limit_exceeded", SOFT, { elo: "61 65", visa: "61 N4 65", mastercard: "61 65" }],
  ["wrong_pin", SOFT, { elo: "55 38 75", visa: "55 86 75", mastercard: "55 75", amex: "117 A6 106 A4" }],
  ["wrong_pin", HARD, { elo: "83 74", visa: "74 81 P5", mastercard: "88", amex: "180 A7" }],
  ["not_permitted", SOFT, { visa: "62" }], // a card for purchases in its own country
  ["not_permitted", HARD, { elo: "62 FM", visa: "58 64 93 6P N3", mastercard: "58 62 57", amex: "116" }],
  ["recurring_stopped", HARD, { visa: "R0 R1 R2 R3" }],
  ["wrong_function", HARD, { elo: "AB AC", visa: "52 53 39" }],
  ["processing_error", SOFT, { elo: "91 96 4 6", visa: "91 96 N0", mastercard: "91 96", amex: "912 A1 911 AE" }],
  ["invalid_transaction", SOFT, { visa: "B1 B2" }],
  ["invalid_transaction", HARD, { elo: "58 19 12 30 13 23 64 76 77", visa: "3 19 6 12 13 N8 76 92 94" }],
  ["invalid_transaction", HARD, { mastercard: "3 30 12 13 92 94", amex: "109 DA 115 A2 181 A3 110 JB" }],
  ["not_permitted", HARD, { mastercard: "79 82 83" }], // life cycle, policy and fraud, of which an advice beside the code decides
];

/** Mastercard's codes of which its advice decides, and its advices not to charge the card again (Merchant Advice Codes). */
const advised: ReadonlySet<string> = new Set(["79", "82", "83"]);
const never: ReadonlySet<string> = new Set(["3", "21"]);

/** A code as the table has it: without zeros in front, which acquirers write or leave out. */
export const codeOf = (code: unknown): string => String(code).replace(/^0+(?=.)/, "");

const byBrand = new Map<string, Decline>();
const byCode = new Map<string, Decline>();
for (const [reason, isHard, codes] of table) {
  for (const [brand, list] of Object.entries(codes)) {
    for (const code of list.split(" ")) {
      add(byBrand, `${brand} ${code}`, { reason, isHard });
      add(byCode, code, { reason, isHard });
    }
  }
}

/** Of several meanings the first one names the reason, and a hard one decides: to try again in vain costs a fee. */
function add(known: Map<string, Decline>, key: string, { reason, isHard }: Decline) {
  const first = known.get(key);
  known.set(key, first ? { reason: first.reason, isHard: first.isHard || isHard } : { reason, isHard });
}

const listed: ReadonlySet<string> = new Set(table.flatMap(([, , codes]) => Object.keys(codes)));

/**
 * What a brand's code means; undefined where the table does not have it. Of a brand that the table does not list, and of an
 * unknown one, the meanings of all brands count. `advice` is Mastercard's, where it came with the code.
 */
export function declineOf(brand: string | null, code: string, advice: string | null): Decline | undefined {
  const found = brand !== null && listed.has(brand) ? byBrand.get(`${brand} ${code}`) : byCode.get(code);
  if (!found || brand !== "mastercard" || advice === null) return found;
  return { ...found, isHard: never.has(advice) || (found.isHard && !advised.has(code)) };
}

/** Our words of all refusals in the table. */
export const declineReasons: ReadonlySet<string> = new Set(table.map(([reason]) => reason));
