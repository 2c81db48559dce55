import { z } from "zod";
import { brandOf, brands, hasLengthOfBrand, lengthsOf } from "@/lib/pan/brands";
import { passesLuhn } from "@/lib/pan/luhn";
import { thisMonth } from "@/lib/time/calendar";
import { MAX_TYPED } from "@/lib/typed/fields";
import { signsOf } from "@/lib/typed/text";

/** Digits that pass Luhn's check, of a brand that we know and as many as it issues. What stands between them is removed. */
const CardNumber = z
  .string()
  .max(MAX_TYPED)
  .transform(signsOf)
  .refine((number) => !faultOf(number), { error: ({ input }) => faultOf(String(input)) })
  .meta({ description: "13 to 19 digits; spaces and dashes are taken away", example: "4111111111111111" });

function faultOf(number: string): string | undefined {
  if (!/^\d{13,19}$/.test(number)) return "Use de 13 a 19 dígitos.";
  if (brandOf(number) && !hasLengthOfBrand(number)) return wrongLength(number);
  if (!passesLuhn(number)) return "Número de cartão inválido. Confira os dígitos.";
  return brandOf(number) ? undefined : "Bandeira não aceita.";
}

const either = new Intl.ListFormat("pt-BR", { type: "disjunction" });

const wrongLength = (number: string) =>
  `Um cartão desta bandeira tem ${either.format((lengthsOf(number) ?? []).map(String))} dígitos. Confira o número.`;

const ExpiryMonth = z
  .string()
  .trim()
  .max(2)
  .regex(/^(0[1-9]|1[0-2])$/, "Use o mês com dois dígitos, de 01 a 12.");

const ExpiryYear = z
  .string()
  .trim()
  .max(4)
  .regex(/^(\d{2}|\d{4})$/, "Use o ano com quatro dígitos.")
  .transform((year) => (year.length === 2 ? `20${year}` : year));

const Expiry = z.object({ expiry_month: ExpiryMonth, expiry_year: ExpiryYear });

/** The check of the expiry, which also runs when other fields are wrong, if month and year can be parsed. */
const expired = {
  error: "Este cartão está vencido.",
  when: ({ value }: { value: unknown }) => Expiry.safeParse(value).success,
};

/**
 * A card as people type it. A card is valid until the last day of its month ends in São
 * Paulo. After that the error is at its year, or at its month if the year is the current one.
 */
export const CardInput = z
  .object({
    number: CardNumber,
    holder_name: z.string().trim().min(1, "Campo obrigatório.").max(255),
    expiry_month: ExpiryMonth,
    expiry_year: ExpiryYear,
    cvv: z
      .string()
      .max(MAX_TYPED)
      .transform(signsOf)
      .refine((cvv) => /^\d{3,4}$/.test(cvv), "Use 3 ou 4 dígitos."),
  })
  .refine(({ expiry_year }) => expiry_year >= yearOfNow(), { path: ["expiry_year"], ...expired })
  .refine(({ expiry_year, expiry_month }) => expiry_year !== yearOfNow() || expiry_month >= monthOfNow(), {
    path: ["expiry_month"],
    ...expired,
  });
export type CardInput = z.output<typeof CardInput>;

const yearOfNow = () => thisMonth().slice(0, 4);
const monthOfNow = () => thisMonth().slice(5);

/** POST /card-tokens, of partners and of pages. */
export const CardTokenBody = z.object({ card: CardInput });
export type CardTokenBody = z.output<typeof CardTokenBody>;

/** The answer to POST /card-tokens. */
export const CardToken = z.object({
  data: z.object({ token: z.string(), brand: z.enum(brands), last4: z.string(), expires_at: z.string() }),
});
export type CardToken = z.output<typeof CardToken>;
