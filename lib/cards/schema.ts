import { z } from "zod";
import { brandOf } from "@/lib/cards/brands";
import { passesLuhn, thisMonth } from "@/lib/cards/validity";
import { Document, Phone, Split } from "@/lib/deposits/schema";
import { Amount } from "@/lib/money";
import { OptionalReceiverUrl } from "@/lib/webhooks/schema";
import { locales } from "@/messages";

/** Every brand we know, as the interface spells them. */
export const brands = [
  "elo",
  "hipercard",
  "hiper",
  "aura",
  "amex",
  "diners",
  "discover",
  "jcb",
  "mastercard",
  "visa",
] as const;
export type Brand = (typeof brands)[number];

/** 13 to 19 digits that pass Luhn's check, of a brand we know. Spaces and dashes of a form are taken away. */
const CardNumber = z
  .string()
  .max(40)
  .transform((value) => value.replace(/[\s-]/g, ""))
  .refine((number) => !faultOf(number), { error: ({ input }) => faultOf(String(input)) })
  .meta({ description: "13 to 19 digits; spaces and dashes are taken away", example: "4111111111111111" });

function faultOf(number: string): string | undefined {
  if (!/^\d{13,19}$/.test(number)) return "Use de 13 a 19 dígitos.";
  if (!passesLuhn(number)) return "Número de cartão inválido. Confira os dígitos.";
  return brandOf(number) ? undefined : "Bandeira não aceita.";
}

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

/** Told whatever else is wrong with the card, if only its month and year can be read. */
const expired = {
  error: "Este cartão está vencido.",
  when: ({ value }: { value: unknown }) => Expiry.safeParse(value).success,
};

/**
 * A card as people type it (interface.md, Card input). A card is good until the last day of its month ends in
 * São Paulo; later the fault is at its year, or at the month if the year is this one.
 */
export const CardInput = z
  .object({
    number: CardNumber,
    holder_name: z.string().trim().min(1, "Campo obrigatório.").max(255),
    expiry_month: ExpiryMonth,
    expiry_year: ExpiryYear,
    cvv: z
      .string()
      .trim()
      .max(4)
      .regex(/^\d{3,4}$/, "Use 3 ou 4 dígitos."),
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

/** What a card token is answered with (interface.md, Card token). */
export const CardToken = z.object({
  data: z.object({ token: z.string(), brand: z.enum(brands), last4: z.string(), expires_at: z.string() }),
});
export type CardToken = z.output<typeof CardToken>;

/** POST /credit-card (operations.md section 3). `amount` becomes cents. */
export const ChargeBody = z.object({
  amount: Amount,
  description: z
    .string()
    .trim()
    .max(255)
    .nullish()
    .transform((value) => value || null),
  card: z.object({ token: z.string().max(200) }),
  client: z.object({
    name: z.string().trim().min(1, "Campo obrigatório.").max(255),
    email: z
      .email("E-mail inválido.")
      .max(254)
      .transform((value) => value.toLowerCase()),
    phone: Phone,
    document: z
      .object({
        type: z
          .string()
          .max(10)
          .toLowerCase()
          .pipe(z.enum(["cpf", "cnpj"])),
        number: Document,
      })
      .refine(({ type, number }) => (type === "cpf") === (number.length === 11), {
        path: ["type"],
        error: "O tipo não é o deste documento.",
      }),
  }),
  device: z.object({
    ip: z.union([z.ipv4(), z.ipv6()], { error: "IP inválido." }),
    user_agent: z.string().trim().min(1, "Campo obrigatório.").max(500),
    page_url: z.httpUrl("Informe o endereço da página.").max(2048),
  }),
  split: Split.nullish().transform((value) => value ?? []),
  installments: z.int().min(1).max(12).default(1),
  /** Keeps the card for later charges, once this one is approved: the words that its holder agreed to. */
  save_card: z.object({ consent: z.string().trim().min(1, "Campo obrigatório.").max(1000) }).nullish(),
  webhook_url: OptionalReceiverUrl,
});
export type ChargeBody = z.output<typeof ChargeBody>;

export const Charge = z.object({
  message: z.string(),
  identifier: z.uuid(),
  status: z.enum(["completed", "pending"]),
  brand: z.enum(brands),
  last4: z.string(),
});
export type Charge = z.output<typeof Charge>;

export const Domain = z.object({ id: z.uuid(), origin: z.string(), created_at: z.string() });
export type Domain = z.output<typeof Domain>;

/** GET /public-key. */
export const PublicKey = z.object({
  data: z.object({ key: z.string(), created_at: z.string(), domains: z.array(Domain) }),
});
export type PublicKey = z.output<typeof PublicKey>;

export const MAX_DOMAINS = 10;

/**
 * The form of a registered domain (interface.md section 1): https, a host, a port perhaps, and nothing after it;
 * http for localhost and 127.0.0.1 alone.
 */
export const Origin = z
  .string()
  .trim()
  .max(255)
  .refine(isOrigin, "Use https://dominio, sem caminho nem barra no fim; http só para localhost e 127.0.0.1.");

export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, origin } = new URL(text);
  if (origin !== text) return false; // a path, a slash, upper case, a default port
  if (!/^[\w.-]+$/.test(hostname)) return false; // also stands in a header, where `*`, `;` and `,` mean something
  return protocol === "https:" || (protocol === "http:" && ["localhost", "127.0.0.1"].includes(hostname));
}

export const DomainBody = z.object({ origin: Origin });
export const DomainAnswer = z.object({ data: Domain });
export const DomainTestBody = z.object({ origin: z.string().trim().max(2048) });

/** POST /public-key/domains/test: whether a browser's page of this origin would be let in, and if not, why. */
export const DomainTest = z.object({
  data: z.object({
    accepted: z.boolean(),
    reason: z.enum(["accepted", "malformed", "not_listed", "no_domain", "cards_disabled", "account_inactive"]),
  }),
});
export type DomainTest = z.output<typeof DomainTest>;

/** The address of the card fields' page: a key that has no form of ours is no key, and anything else has its default. */
export const FieldsQuery = z.object({
  key: z
    .string()
    .regex(/^pk_(live|test)_[\w-]{43}$/)
    .catch(""),
  /** The page that they are shown in, whose origin is told what happens. */
  parent: z.string().max(255).catch(""),
  locale: z.enum(locales).catch("pt-BR"),
  theme: z.enum(["light", "dark", "auto"]).catch("light"),
});
