import { type Key, keysIn } from "@/components/withdrawals/key";
import { decimal } from "@/lib/money";
import { signsOf } from "@/lib/typed/text";
import type { CashOutSent, WithdrawalTerms } from "@/lib/withdrawals/schema";

/** The type of a fault that only the API could see: what changed meanwhile, and whose a key is. */
export const REFUSED = "refused";

export type Payee = WithdrawalTerms["payees"][number];

/** What the form has. `payee` is the key of somebody who was paid before, or nothing for another one. */
export const nothingTyped = {
  payee: "",
  pix_key: "",
  pix_key_type: "" as Key["type"] | "",
  document: { number: "" },
  amount: 0,
  description: "",
};
export type WithdrawalValues = typeof nothingTyped;

/** The key that was typed: undefined where it is none, or two and nobody has said which. */
export function keyTyped({
  pix_key,
  pix_key_type,
}: Pick<WithdrawalValues, "pix_key" | "pix_key_type">): Key | undefined {
  const readings = keysIn(pix_key);
  return readings.length === 1 ? readings[0] : readings.find(({ type }) => type === pix_key_type);
}

/** Whether the key itself says whose it is. */
export const isDocument = (key: Key | undefined) => key?.type === "CPF" || key?.type === "CNPJ";

/** The request's body. A key that cannot be read is sent as it was typed, for the schema to refuse. */
export const bodyOf =
  (payees: readonly Payee[]) =>
  (values: WithdrawalValues): CashOutSent => {
    const { payee, pix_key, pix_key_type, document, amount, description } = values;
    const sent = { amount: decimal(amount), description };
    const paid = payees.find(({ pix_key }) => pix_key === payee);
    if (paid) {
      return { ...sent, pix_key_type: paid.pix_key_type, pix_key: paid.pix_key, document: documentOf(paid.document) };
    }
    const key = keyTyped(values);
    const isEither = keysIn(pix_key).length > 1;
    return {
      ...sent,
      pix_key_type: key?.type ?? (isEither ? pix_key_type : "EVP"),
      pix_key: key?.key ?? pix_key,
      document: documentOf(key && isDocument(key) ? key.key : document.number),
    };
  };

const documentOf = (number: string) => ({ type: /^\d{0,11}$/.test(signsOf(number)) ? "CPF" : "CNPJ", number });
