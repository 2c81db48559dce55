import { envelopeOf, type Message } from "@/lib/events/subject";
import { methods } from "@/lib/methods/methods";
import { reais } from "@/lib/money";
import { localTime } from "@/lib/time/calendar";
import { iso } from "@/lib/time/clock";
import { legacyUtm, presentTransactionV2 } from "@/lib/transactions/present";
import type { Sale } from "@/lib/transactions/sale";
import { statusLegacy, wordOfV1 } from "@/lib/transactions/states";
import type { TransactionStatus } from "@/prisma/client/enums";

// The bodies of webhooks about a sale. Each is a pure function of the event and of the sale as it was right after the
// event, so every attempt sends the same body.

/** The body in the event contract: V2 of the sale, with its previous status. */
export function eventBody(message: Message, sale: Sale): object {
  const { previous_status } = message.data as { previous_status: TransactionStatus | null };
  return { ...envelopeOf(message), ...presentTransactionV2(sale, { previous_status }) };
}

/** The body in the cash contract: amounts in reais, V1's words for the status. */
export const cashBody = (_: Message, sale: Sale): object => ({
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
});

const UTM = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

/** The old API's postback, also sent to a deposit's `webhook_url`. A text without a value is empty, never null. */
export function legacyBody(_: Message, sale: Sale): object {
  const { externaRef } = (sale.legacy ?? {}) as { externaRef?: string };
  const utm = legacyUtm(sale);
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
      checkout: Object.fromEntries(UTM.map((name) => [name, utm[name] ?? ""])),
    },
  };
}
