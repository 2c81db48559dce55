import { isValidCnpj, isValidCpf } from "@brazilian-utils/brazilian-utils";
import { emailOf } from "@/lib/typed/emails";
import { phoneOf } from "@/lib/typed/phones";
import { signsOf, upper } from "@/lib/typed/text";
import type { PixKeyType } from "@/prisma/client/enums";

/** The longest e-mail that can be a key, by the Central Bank's manual of the directory of keys (DICT). */
const MAX_EMAIL_KEY = 77;

const EVP = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** How a key of each type is written in the directory; undefined for what is no such key. */
const readers: Record<PixKeyType, (text: string) => string | undefined> = {
  CPF: (text) => only(signsOf(text), isValidCpf),
  CNPJ: (text) => only(upper(signsOf(text)), (value) => isValidCnpj(value, { version: 2 })),
  EMAIL: (text) => only(emailOf(text) ?? "", (value) => value !== "" && value.length <= MAX_EMAIL_KEY),
  PHONE(text) {
    const reading = phoneOf(text);
    return "phone" in reading && !reading.phone.startsWith("+") ? `+55${reading.phone}` : undefined;
  },
  EVP: (text) => only(text.trim().toLowerCase(), (value) => EVP.test(value)),
};

const only = (value: string, isSo: (value: string) => boolean) => (isSo(value) ? value : undefined);

/**
 * A Pix key of a type as the directory writes it, from what people type or paste: CPF and CNPJ (alphanumeric too) without
 * punctuation, an e-mail in lower case, a phone as +55 with area code, a random key in lower case.
 */
export const keyOf = (type: PixKeyType, text: string): string | undefined => readers[type](text);
