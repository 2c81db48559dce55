import { isValidCnpj, isValidCpf } from "@brazilian-utils/brazilian-utils";
import { z } from "zod";
import { emailOf, MAX_EMAIL } from "@/lib/typed/emails";
import { type PhoneFault, phoneOf } from "@/lib/typed/phones";
import { signsOf, upper } from "@/lib/typed/text";

/** A text of at most `limit` characters; an empty one counts as absent. */
export const optionalText = (limit: number) =>
  z
    .string()
    .trim()
    .max(limit)
    .nullish()
    .transform((value) => value || null);

/** No document or phone is longer, even with punctuation and invisible marks; nor an e-mail with blanks around it. */
export const MAX_TYPED = 60;
const MAX_TYPED_EMAIL = MAX_EMAIL + MAX_TYPED;

type Reading = { value: string } | { fault: string };
type Read = { limit: number; read: (text: string) => Reading; meta?: Record<string, unknown> };

/** A text that is read from what people type or paste. */
const typed = ({ limit, read, meta = {} }: Read) =>
  z
    .string()
    .max(limit)
    .transform((text, context) => understood(read(text), context))
    .meta(meta);

/** As `typed`; null, and a text of blanks, is none. */
const typedOrNull = ({ limit, read, meta = {} }: Read) =>
  z
    .string()
    .max(limit)
    .transform((text, context) => (text.trim() === "" ? null : understood(read(text), context)))
    .nullable()
    .meta(meta);

/** As `typed`. A form sends every field that it has, so a field without a text counts as absent. */
const typedOrAbsent = (reading: Read) =>
  typedOrNull(reading)
    .optional()
    .transform((value) => value ?? null)
    .meta(reading.meta ?? {});

function understood(reading: Reading, context: z.RefinementCtx): string {
  if ("value" in reading) return reading.value;
  context.addIssue({ code: "custom", message: reading.fault });
  return z.NEVER;
}

const document: Read = {
  limit: MAX_TYPED,
  read(text) {
    const value = upper(signsOf(text));
    const isDocument = isValidCpf(value) || isValidCnpj(value, { version: 2 });
    return isDocument ? { value } : { fault: "CPF ou CNPJ inválido. Confira os dígitos." };
  },
  meta: { description: "CPF (11 digits) or CNPJ (14 letters and digits)", example: "52998224725" },
};

/** CPF (11 digits) or CNPJ (14, alphanumeric since July 2026), with or without punctuation; stored without. */
export const Document = typed(document);

const phoneFaults: Record<PhoneFault, string> = {
  toll_free: "Números 0800, 0300, 0500 e 0900 não servem aqui. Use um telefone com DDD.",
  no_area_code: "Falta o DDD. Use DDD e número, como (11) 98765-4321.",
  area_code: "Este DDD não existe. Confira os dois primeiros dígitos.",
  form: "Telefone inválido. Use DDD e número; se for de outro país, comece com + e o código do país.",
};

const phone = (description: string, options?: { anyDigits: boolean }): Read => ({
  limit: MAX_TYPED,
  read(text) {
    const reading = phoneOf(text, options);
    return "phone" in reading ? { value: reading.phone } : { fault: phoneFaults[reading.fault] };
  },
  meta: { description, example: "11987654321" },
});

const typedPhone = phone("10 or 11 digits with an area code (DDD) that exists, or E.164");
const sentPhone = phone("10 or 11 digits, or E.164; in any other spelling its area code (DDD) must exist", {
  anyDigits: true,
});

/** A phone that a program sends: a Brazilian one, stored as its 10 or 11 digits, or another country's in E.164 (`phoneOf`). */
export const SentPhone = typed(sentPhone);

/** A phone that a program may leave out. */
export const OptionalSentPhone = typedOrAbsent(sentPhone);

/** A phone that a person may leave empty; its area code must exist. */
export const OptionalPhone = typedOrAbsent(typedPhone);

const email: Read = {
  limit: MAX_TYPED_EMAIL,
  read(text) {
    const value = emailOf(text);
    return value === undefined ? { fault: "E-mail inválido. Confira o endereço." } : { value };
  },
};

/** An e-mail address, stored in lower case with its domain in ASCII (`emailOf`). */
export const Email = typed(email);

/** What a form may empty, and a change may leave out: the phone of a person, and an e-mail. */
export const PhoneOrNull = typedOrNull(typedPhone);
export const EmailOrNull = typedOrNull(email);

/** A person whom a program may name. */
export const Client = z.object({
  name: optionalText(255),
  cpf: typedOrAbsent(document),
  email: typedOrAbsent(email),
  phone: OptionalSentPhone,
});
