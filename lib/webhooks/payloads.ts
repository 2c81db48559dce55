import { localTime } from "@/lib/calendar";
import { iso } from "@/lib/clock";
import { reais } from "@/lib/money";
import { legacyUtm, presentTransactionV2 } from "@/lib/transactions/present";
import { statusLegacy, statusV1 } from "@/lib/transactions/states";
import type { Event, Transaction } from "@/prisma/client/client";
import type { DeliveryContract, TransactionStatus } from "@/prisma/client/enums";

const API_VERSION = "2026-08-16";

/** What an event's row remembers of its moment. */
type Moment = { status: TransactionStatus; previous_status: TransactionStatus | null };

/**
 * The body of a delivery: a pure function of the event and the sale, telling what was true when the event happened,
 * however late it is sent. So every attempt says the same, and `created` never means paid.
 * `name` is the event's name on the wire.
 */
export function bodyOf(contract: DeliveryContract, name: string, event: Event, sale: Transaction): object {
  const then = asOf(sale, event);
  if (contract === "cash") return { data: cashData(then) };
  if (contract === "legacy") return { data: legacyData(then) };
  return eventBody(name, event, then);
}

const hasBeenPaid: ReadonlySet<TransactionStatus> = new Set(["completed", "disputed", "refunded", "chargedback"]);

/** The sale as it was at the event. */
function asOf(sale: Transaction, { data, occurredAt }: Event): Transaction {
  const { status } = data as Moment;
  const unpaid = hasBeenPaid.has(status) ? {} : { paidAt: null, endToEndId: null, payer: null };
  return { ...sale, ...unpaid, status, updatedAt: occurredAt };
}

function eventBody(name: string, event: Event, sale: Transaction) {
  const { previous_status } = event.data as Moment;
  const presented = presentTransactionV2(sale, { previous_status });
  return {
    event: name,
    event_id: event.id,
    occurred_at: iso(event.occurredAt),
    api_version: API_VERSION,
    ...presented,
  };
}

/** The cash contract (operations.md section 7): amounts in reais, V1's words for status. */
function cashData(sale: Transaction) {
  return {
    id: sale.id,
    client: { name: sale.clientName, email: sale.clientEmail, document: sale.clientDocument },
    pix_code: sale.pixCode,
    amount: reais(sale.amount),
    final_amount: reais(sale.net),
    currency: "BRL",
    status: statusV1[sale.status],
    payment_method: "PIX",
    created_at: iso(sale.createdAt),
    updated_at: iso(sale.updatedAt),
    ...(sale.endToEndId && { end_to_end: sale.endToEndId }),
    ...(sale.payer && { debtor_account: sale.payer }),
  };
}

const UTM = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

/** The old API's postback, also sent to a cash-in's `webhook_url`. Texts it has nothing for are empty, never null. */
function legacyData(sale: Transaction) {
  const { externaRef } = (sale.legacy ?? {}) as { externaRef?: string };
  const utm = legacyUtm(sale);
  const code = sale.pixCode ?? "";
  return {
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
  };
}
