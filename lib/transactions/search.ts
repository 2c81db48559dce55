import { isId } from "@/lib/ids";
import { emailSought } from "@/lib/typed/emails";
import { signsOf, upper } from "@/lib/typed/text";

/** A field that a search names, by its column and the value that it must have. */
export type Named = { column: keyof typeof forms; value: string };

/** The forms of a document without its marks: CPF, and CNPJ of digits or of letters too. */
const DOCUMENT = /^(\d{11}|[A-Z\d]{12}\d{2})$/;

/**
 * The columns that a search looks into, each with an index of its own, and the value that a text would have there; null
 * for a text that cannot be one.
 */
const forms = {
  id: (text: string) => (isId(text) ? text.toLowerCase() : null),
  end_to_end_id: (text: string) => (/^E\w{31}(#\d+)?$/.test(text) ? text : null),
  txid: (text: string) => (/^[A-Za-z\d]{1,35}$/.test(text) ? text : null),
  external_id: (text: string) => text,
  client_email: (text: string) => (text.includes("@") ? emailSought(text) : null),
  client_document: (text: string) => (DOCUMENT.test(bare(text)) ? bare(text) : null),
  card_last4: (text: string) => (/^\d{4}$/.test(bare(text)) ? bare(text) : null),
};

const bare = (text: string) => upper(signsOf(text));

/** The fields that a text may name: reference id, end-to-end id, txid, external id, e-mail, document, a card's last four. */
export function namedBy(text: string): Named[] {
  const columns = Object.keys(forms) as (keyof typeof forms)[];
  return columns.flatMap((column) => {
    const value = forms[column](text);
    return value === null ? [] : [{ column, value }];
  });
}
