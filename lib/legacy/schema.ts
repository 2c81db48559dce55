import { z } from "zod";
import { OptionalReceiverUrl } from "@/lib/receivers/schema";
import { Split } from "@/lib/splits/schema";
import { Amount } from "@/lib/typed/amount";
import { Document, Email, SentPhone } from "@/lib/typed/fields";

const required = z.string().trim().min(1, "Campo obrigatório.").max(255);
const optional = z.string().max(500).nullish();
/** A number or its text, stored as it was sent, because programs send values such as "0.30000000000000004". */
const count = (limit: number) => z.union([z.number().min(-limit).max(limit), z.string().max(32)]).nullish();

/** The largest number of `utm_*` fields and others that the shop wants returned. */
const MAX_UTM = 20;
const Checkout = z
  .record(z.string().max(64), z.union([z.string().max(500), z.number(), z.null()]))
  .refine((members) => Object.keys(members).length <= MAX_UTM, `O máximo é ${MAX_UTM} membros.`)
  .meta({ maxProperties: MAX_UTM });

/** POST /v1/gateway/api, spelled as its clients spell it. */
export const LegacyBody = z.object({
  ip: z.union([z.ipv4(), z.ipv6()], { error: "IP inválido." }),
  pix: z.object({ expiresInDays: z.iso.date("Use AAAA-MM-DD.") }).nullish(),
  items: z
    .array(
      z.object({
        title: optional,
        quantity: count(1e9),
        tangible: z.boolean().nullish(),
        unitPrice: count(1e12),
      }),
    )
    .max(100)
    .nullish(),
  amount: Amount,
  customer: z.object({
    cpf: Document,
    name: required,
    email: Email,
    phone: SentPhone,
    externaRef: required,
    address: z.object({
      city: required,
      state: required,
      street: required,
      country: required,
      zipCode: required,
      complement: optional,
      neighborhood: required,
      streetNumber: required,
    }),
  }),
  metadata: z
    .object({
      provider: optional,
      sell_url: optional,
      order_url: optional,
      user_email: optional,
      user_identitication_number: optional,
    })
    .nullish(),
  checkout: Checkout.nullish(),
  split: Split.nullish().transform((value) => value ?? []),
  traceable: z.boolean().nullish(),
  postbackUrl: OptionalReceiverUrl,
});
export type LegacyBody = z.output<typeof LegacyBody>;

export const LegacyDeposit = z.object({
  status: z.literal("success"),
  message: z.string(),
  client_id: z.string(),
  urlWebHook: z.string(),
  paymentCode: z.string(),
  idTransaction: z.uuid(),
  paymentCodeBase64: z.string(),
  status_transaction: z.literal("WAITING_FOR_APPROVAL"),
});

export const LegacyCompany = z.object({
  dados_seller: z.object({
    id_seller: z.string(),
    empresa: z.object({
      id: z.string(),
      nome: z.string(),
      email: z.string(),
      cpf_cnpj: z.string(),
      telefone: z.string().nullable(),
    }),
  }),
});

export const LegacyStatusQuery = z.object({ id_transaction: z.string().max(100).default("") });

export const LegacyStatus = z.object({
  situacao: z.string(),
  tipo: z.string(),
  valor_bruto: z.number(),
  status: z.string(),
  status_transaction: z.enum(["WAITING_FOR_APPROVAL", "PAID_OUT", "CANCELLED", "EXPIRED", "REFUNDED"]),
});

const Movement = z.object({ quantidade: z.int(), bruto: z.number(), liquido: z.number() });

export const LegacyBalance = z.object({
  data: z.object({
    usuario: z.string(),
    nome: z.string(),
    saldo_liquido: z.number(),
    transacoes: z.object({ entrada: Movement, saida: Movement }),
  }),
  status: z.int(),
  message: z.string(),
  error: z.boolean(),
});
