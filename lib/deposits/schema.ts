import { isValidCnpj, isValidCpf } from "@brazilian-utils/brazilian-utils";
import { z } from "zod";
import { Amount } from "@/lib/money";
import { OptionalReceiverUrl } from "@/lib/webhooks/schema";

const text = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .nullish()
    .transform((value) => value || null);

/** A form sends every field that it has: one without a text counts as absent (operations.md section 2). */
const orAbsent = <S extends z.ZodType<string>>(schema: S, isGiven: (value: string) => boolean, message: string) =>
  schema
    .refine((value) => value === "" || isGiven(value), message)
    .nullish()
    .transform((value) => value || null);

/** Longer than any, with all its marks. */
const MAX_MARKED = 40;

const documentText = z
  .string()
  .max(MAX_MARKED)
  .transform((value) => value.replace(/[.\-/\s]/g, "").toUpperCase());
const isDocument = (value: string) => isValidCpf(value) || isValidCnpj(value, { version: 2 });
const NO_DOCUMENT = "CPF ou CNPJ inválido. Confira os dígitos.";
const aboutDocument = { description: "CPF (11 digits) or CNPJ (14 letters and digits)", example: "52998224725" };

/** CPF (11 digits) or CNPJ (14, alphanumeric since July 2026), with or without its marks; kept bare. */
export const Document = documentText.refine(isDocument, NO_DOCUMENT).meta(aboutDocument);

const phoneText = z
  .string()
  .max(MAX_MARKED)
  .transform((value) => value.replace(/[()\-\s.]/g, "").replace(/^\+55(?=\d{10,11}$)/, ""));
const isPhone = (value: string) => /^(\d{10,11}|\+[1-9]\d{6,14})$/.test(value);
const NO_PHONE = "Telefone inválido. Use DDD e número.";
const aboutPhone = { description: "10 or 11 digits, or E.164", example: "11987654321" };

/** 10 or 11 digits, or E.164: what the interface takes, no more and no less. A Brazilian one is kept without +55. */
export const Phone = phoneText.refine(isPhone, NO_PHONE).meta(aboutPhone);

const isEmail = (value: string) => z.email().safeParse(value).success;

export const Client = z.object({
  name: text(255),
  cpf: orAbsent(documentText, isDocument, NO_DOCUMENT).meta(aboutDocument),
  email: orAbsent(z.string().trim().toLowerCase().max(254), isEmail, "E-mail inválido. Confira o endereço."),
  phone: orAbsent(phoneText, isPhone, NO_PHONE).meta(aboutPhone),
});

export const Split = z
  .array(
    z.object({
      percentage: z.int().min(1).max(100),
      user_id: z.uuid().transform((value) => value.toLowerCase()),
    }),
  )
  .min(1)
  .max(3);

/** POST /cash-in (operations.md section 2). `amount` becomes cents. */
export const CashInBody = z.object({
  amount: Amount,
  description: text(255),
  webhook_url: OptionalReceiverUrl,
  client: Client.nullish().transform((value) => value ?? null),
  split: Split.nullish().transform((value) => value ?? []),
  external_id: text(255),
});
export type CashInBody = z.output<typeof CashInBody>;

export const CashIn = z.object({
  message: z.string(),
  pix_code: z.string(),
  identifier: z.uuid(),
  expires_at: z.string(),
});

/** POST /sandbox/pix/{identifier}/pay: what the simulated payer sends; the code's own amount unless given. */
export const PayBody = z.object({
  amount: Amount.optional(),
  payer: z.object({ name: z.string().trim().min(1).max(100).optional(), document: Document.optional() }).optional(),
});
export type PayBody = z.output<typeof PayBody>;

export const Simulated = z.object({ message: z.string(), identifier: z.uuid(), end_to_end_id: z.string() });
