import { z } from "zod";
import { brands } from "@/lib/pan/brands";
import { OptionalReceiverUrl } from "@/lib/receivers/schema";
import { soldMembers } from "@/lib/splits/schema";
import { trackingMembers } from "@/lib/transactions/tracking";
import { Amount } from "@/lib/typed/amount";
import { Document, Email, SentPhone } from "@/lib/typed/fields";

/** From where a card is given, which our rules read. */
export const Device = z.object({
  ip: z.union([z.ipv4(), z.ipv6()], { error: "IP inválido." }),
  user_agent: z.string().trim().min(1, "Campo obrigatório.").max(500),
  page_url: z.httpUrl("Informe o endereço da página.").max(2048),
});
export type Device = z.output<typeof Device>;

/** POST /credit-card. `amount` becomes cents. */
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
    email: Email,
    phone: SentPhone,
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
  device: Device,
  ...soldMembers,
  installments: z.int().min(1).max(12).default(1),
  /** Keeps the card for later charges once this one is approved; `consent` is the text that its holder agreed to. */
  save_card: z.object({ consent: z.string().trim().min(1, "Campo obrigatório.").max(1000) }).nullish(),
  webhook_url: OptionalReceiverUrl,
  ...trackingMembers,
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
