import { isValidCnpj, isValidCpf } from "@brazilian-utils/brazilian-utils";
import { z } from "zod";

/** A text of at most `limit` characters; an empty one counts as absent. */
export const optionalText = (limit: number) =>
  z
    .string()
    .trim()
    .max(limit)
    .nullish()
    .transform((value) => value || null);

/** A form sends every field that it has, so a field without a text counts as absent (operations.md section 2). */
const orAbsent = <S extends z.ZodType<string>>(schema: S, isGiven: (value: string) => boolean, message: string) =>
  schema
    .refine((value) => value === "" || isGiven(value), message)
    .nullish()
    .transform((value) => value || null);

/** No document or phone is longer, even with punctuation. */
const MAX_MARKED = 40;

const documentText = z
  .string()
  .max(MAX_MARKED)
  .transform((value) => value.replace(/[.\-/\s]/g, "").toUpperCase());
const isDocument = (value: string) => isValidCpf(value) || isValidCnpj(value, { version: 2 });
const NO_DOCUMENT = "CPF ou CNPJ inválido. Confira os dígitos.";
const aboutDocument = { description: "CPF (11 digits) or CNPJ (14 letters and digits)", example: "52998224725" };

/** CPF (11 digits) or CNPJ (14, alphanumeric since July 2026), with or without punctuation; stored without. */
export const Document = documentText.refine(isDocument, NO_DOCUMENT).meta(aboutDocument);

const phoneText = z
  .string()
  .max(MAX_MARKED)
  .transform((value) => value.replace(/[()\-\s.]/g, "").replace(/^\+55(?=\d{10,11}$)/, ""));
const isPhone = (value: string) => /^(\d{10,11}|\+[1-9]\d{6,14})$/.test(value);
const NO_PHONE = "Telefone inválido. Use DDD e número.";
const aboutPhone = { description: "10 or 11 digits, or E.164", example: "11987654321" };

/** 10 or 11 digits, or E.164, exactly as the interface accepts it. A Brazilian number is stored without +55. */
export const Phone = phoneText.refine(isPhone, NO_PHONE).meta(aboutPhone);

const emailText = z.string().trim().toLowerCase().max(254);
const isEmail = (value: string) => z.email().safeParse(value).success;
const NO_EMAIL = "E-mail inválido. Confira o endereço.";

/** An e-mail address, stored in lower case. */
export const Email = emailText.refine(isEmail, NO_EMAIL);

export const Client = z.object({
  name: optionalText(255),
  cpf: orAbsent(documentText, isDocument, NO_DOCUMENT).meta(aboutDocument),
  email: orAbsent(emailText, isEmail, NO_EMAIL),
  phone: orAbsent(phoneText, isPhone, NO_PHONE).meta(aboutPhone),
});
