import { z } from "zod";
import { envelopeNamed, envelopeOf } from "@/lib/events/envelope";
import type { Message } from "@/lib/events/subject";
import { methods } from "@/lib/methods/methods";
import { reais } from "@/lib/money";
import { localTime } from "@/lib/time/calendar";
import { iso } from "@/lib/time/clock";
import { time } from "@/lib/time/schema";
import { presentTransactionV2, trackingMember } from "@/lib/transactions/present";
import type { Sale } from "@/lib/transactions/sale";
import { TransactionV1, TransactionV2 } from "@/lib/transactions/schema";
import { statusLegacy, wordOfV1 } from "@/lib/transactions/states";
import type { TransactionStatus } from "@/prisma/client/enums";

// The bodies of webhooks about a sale, each with the members that it has. Each is a pure function of the event and of the sale
// as it was right after the event, so every attempt sends the same body.

/** The event contract: V2 of the sale, with its previous status. */
export const event = {
  make(message: Message, sale: Sale) {
    const { previous_status } = message.data as { previous_status: TransactionStatus | null };
    return { ...envelopeOf(message), ...presentTransactionV2(sale, { previous_status }) };
  },
  schema: (name: string) => envelopeNamed(name).extend(TransactionV2.shape),
};

const text = z.string().nullable();

const CashSale = z.object({
  id: z.uuid(),
  client: z.object({ name: text, email: text, document: text }),
  pix_code: text,
  amount: z.number().meta({ description: "Reais, what the payer pays" }),
  final_amount: z.number().meta({ description: "Reais, less the platform's fee" }),
  currency: z.literal("BRL"),
  status: TransactionV1.shape.status,
  payment_method: z.literal("PIX"),
  created_at: time,
  updated_at: time,
  end_to_end: z.string().optional().meta({ description: "Once it is paid" }),
  debtor_account: z
    .object({ name: z.string(), document: z.string(), ispb: z.string() })
    .optional()
    .meta({ description: "Who paid" }),
});

/** The cash contract: amounts in reais, V1's words for the status. */
export const cash = {
  make: (_: Message, sale: Sale) => ({
    data: {
      id: sale.id,
      client: { name: sale.clientName, email: sale.clientEmail, document: sale.clientDocument },
      pix_code: sale.pixCode,
      amount: reais(sale.amount),
      final_amount: reais(sale.net),
      currency: "BRL",
      status: wordOfV1(sale),
      payment_method: methods[sale.method].cash,
      created_at: iso(sale.createdAt),
      updated_at: iso(sale.updatedAt),
      ...(sale.endToEndId && { end_to_end: sale.endToEndId }),
      ...(sale.payer && { debtor_account: sale.payer }),
    },
  }),
  schema: () => z.object({ data: CashSale }),
};

/** The old API's postback, also sent to a deposit's `webhook_url`. A text without a value is empty, never null. */
export const legacy = { make: legacyBody, schema: () => z.object({ data: LegacySale }) };

const word = z.string();
const LegacyCheckout = z.object({
  ...{ utm_source: word, utm_medium: word, utm_campaign: word, utm_term: word, utm_content: word },
});

const LegacySale = z.object({
  id: z.uuid(),
  idtransaction: z.uuid().meta({ description: "The same as `id`" }),
  externalreference: z.string(),
  amount: z.number(),
  status: z.enum([...new Set(Object.values(statusLegacy))]),
  client_name: z.string(),
  client_email: z.string(),
  client_document: z.string(),
  paymentcode: z.string(),
  paymentCodeBase64: z.string(),
  data_registro: z.string().meta({ description: "YYYY-MM-DD HH:mm:ss, of São Paulo" }),
  taxa_deposito: z.number(),
  taxa_adquirente: z.number(),
  deposito_liquido: z.number(),
  checkout: LegacyCheckout,
});

function legacyBody(_: Message, sale: Sale) {
  const { externaRef } = (sale.legacy ?? {}) as { externaRef?: string };
  const { utm } = trackingMember(sale);
  const code = sale.pixCode ?? "";
  return {
    data: {
      id: sale.id,
      idtransaction: sale.id,
      externalreference: externaRef ?? sale.externalId ?? "",
      amount: reais(sale.amount),
      status: statusLegacy[sale.status],
      client_name: sale.clientName ?? "",
      client_email: sale.clientEmail ?? "",
      client_document: sale.clientDocument ?? "",
      paymentcode: code,
      paymentCodeBase64: Buffer.from(code).toString("base64"),
      data_registro: localTime(sale.createdAt),
      taxa_deposito: reais(sale.fee),
      taxa_adquirente: 0,
      deposito_liquido: reais(sale.net),
      checkout: Object.fromEntries(Object.keys(LegacyCheckout.shape).map((name) => [name, utm[name.slice(4)] ?? ""])),
    },
  };
}
