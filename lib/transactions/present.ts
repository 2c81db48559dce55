import type { z } from "zod";
import { sha256 } from "@/lib/ids";
import { methods } from "@/lib/methods/methods";
import { reais } from "@/lib/money";
import { iso, isoOrNull } from "@/lib/time/clock";
import type { Sale, SoldItems } from "@/lib/transactions/sale";
import type { DeliveryAddress, TransactionListItem, TransactionV1, TransactionV2 } from "@/lib/transactions/schema";
import { paid, statusV2, wordOfV1 } from "@/lib/transactions/states";
import type { Tracking } from "@/lib/transactions/tracking";
import type { TransactionStatus } from "@/prisma/client/enums";

/** V1 of a sale. */
export const presentTransactionV1 = (sale: Sale): z.input<typeof TransactionV1> => ({
  reference_id: sale.id,
  currency: "BRL",
  amount: reais(sale.amount),
  transaction_date: iso(sale.createdAt),
  status: wordOfV1(sale),
  description: sale.description,
  pix_code: sale.pixCode,
  paid_at: isoOrNull(sale.paidAt),
});

/** The `checkout` of a sale that is an amount alone. */
const NOTHING_NAMED: TransactionV2["checkout"] = { reference_id: null, name: null, items: [] };

const checkoutOf = (sold: SoldItems): TransactionV2["checkout"] => ({
  ...sold, // in the order in which the database keeps its members
  ...{ reference_id: sold.reference_id ?? null, name: sold.name ?? null }, // an event keeps no nulls
  items: sold.items.map((item) => ({ ...item, amount: reais(item.amount) })),
});

type Moment = { status?: TransactionStatus; previous_status?: TransactionStatus | null };

/**
 * V2 of a sale, which is also the body of its events. `moment` has the facts at the time of an event, so that an event
 * before the payment shows nothing of it.
 */
export function presentTransactionV2(sale: Sale, moment: Moment = {}): TransactionV2 {
  const status = moment.status ?? sale.status;
  const unpaid = !paid.includes(status);
  return {
    transaction: {
      reference_id: sale.id,
      status: statusV2[status],
      previous_status: moment.previous_status ? statusV2[moment.previous_status] : null,
      payment_method: methods[sale.method].v2,
      origin: sale.origin,
      description: sale.description,
      currency: "BRL",
      amount: reais(sale.amount),
      net_amount: reais(sale.net),
      refused_reason: status === "refused" ? sale.refusedReason : null,
      end_to_end_id: unpaid ? null : sale.endToEndId,
      created_at: iso(sale.createdAt),
      updated_at: iso(status === sale.status ? sale.updatedAt : sale.createdAt),
      paid_at: unpaid ? null : isoOrNull(sale.paidAt),
      refunded_at: unpaid ? null : isoOrNull(sale.refundedAt),
    },
    customer: {
      reference_id: customerId(sale),
      name: sale.clientName,
      email: sale.clientEmail,
      document: sale.clientDocument,
      phone: sale.clientPhone,
    },
    checkout: sale.checkout ? checkoutOf(sale.checkout as SoldItems) : NOTHING_NAMED,
    payment: {
      pix: methods[sale.method].paymentV2 === "pix" ? { code: sale.pixCode } : null,
      card: cardOf(sale),
    },
    tracking: trackingMember(sale),
    delivery_address: addressOf(sale),
  };
}

function addressOf({ deliveryAddress }: Sale): TransactionV2["delivery_address"] {
  if (!deliveryAddress) return null;
  const { complement = null, ...address } = deliveryAddress as DeliveryAddress; // an event keeps no nulls
  return { ...address, complement };
}

export const presentListItem = (sale: Sale): TransactionListItem => ({
  reference_id: sale.id,
  type: methods[sale.method].type,
  method: methods[sale.method].v2,
  status: sale.status,
  amount: reais(sale.amount),
  net_amount: reais(sale.net),
  description: sale.description,
  customer: { name: sale.clientName, email: sale.clientEmail, document: sale.clientDocument },
  card: cardOf(sale),
  refused_reason: sale.refusedReason,
  created_at: iso(sale.createdAt),
  paid_at: isoOrNull(sale.paidAt),
});

const cardOf = ({ cardBrand: brand, cardLast4: last4, installments }: Sale) =>
  brand && last4 ? { brand, last4, installments: installments ?? 1 } : null;

/** The id of a person within an account: a UUIDv8 of the document or, without one, of the e-mail. */
function customerId({ accountId, clientDocument, clientEmail }: Sale): string | null {
  const person = clientDocument ?? clientEmail;
  if (!person) return null;
  const hex = sha256(`customer:${accountId}:${person}`).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Where a sale came from. One of the old API from before `tracking` has its values as they were sent. */
export function trackingMember(sale: Sale): TransactionV2["tracking"] {
  const { utm, src, sck } = (sale.tracking ?? {}) as Tracking;
  return {
    utm: utm ?? Object.fromEntries(Object.entries(legacyUtm(sale)).map(([name, value]) => [name.slice(4), value])),
    client_ip: sale.clientIp ?? legacyIp(sale),
    user_agent: sale.userAgent,
    ...(src && { src }),
    ...(sck && { sck }),
  };
}

/** The payer's address, which only callers of the old API send. */
const legacyIp = ({ legacy }: Sale) => ((legacy ?? {}) as { ip?: string }).ip ?? null;

/** The utm_* members that came with the old API's `checkout`. */
function legacyUtm({ legacy }: Sale): Record<string, string> {
  const { checkout } = (legacy ?? {}) as { checkout?: Record<string, unknown> };
  const entries = Object.entries(checkout ?? {}).filter(([name]) => name.startsWith("utm_"));
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
