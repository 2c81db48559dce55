import { centsOf } from "@/lib/money";
import type { Order } from "@/lib/tracking/port";
import type { TransactionV2 } from "@/lib/transactions/schema";

type Status = TransactionV2["transaction"]["status"];

/** UTMify's words for a sale's status; what failed or expired is refused there. */
const statuses: Record<Status, string> = {
  pending: "waiting_payment",
  completed: "paid",
  refused: "refused",
  failed: "refused",
  expired: "refused",
  refunded: "refunded",
  chargedback: "chargedback",
};

/** An instant as that service writes it: UTC, to the second. */
const at = (time: string | null) => time?.slice(0, 19).replace("T", " ") ?? null;

/** An amount of the event, in reais, as cents. */
const cents = (reais: number) => centsOf(String(reais)) ?? 0;

/** An order in the form of UTMify's API of orders. */
export function utmifyOrder({ event, isTest }: Order) {
  const { transaction, customer, checkout, tracking } = event;
  const { utm, src, sck, client_ip } = tracking;
  const total = cents(transaction.amount);
  const named = { id: transaction.reference_id, name: transaction.description ?? "Venda", amount: transaction.amount };
  const items = checkout.items.map(({ reference_id: id, name, amount }) => ({ id, name, amount }));
  return {
    orderId: transaction.reference_id,
    platform: "Repasse",
    paymentMethod: transaction.payment_method,
    status: statuses[transaction.status],
    createdAt: at(transaction.created_at),
    approvedDate: at(transaction.paid_at),
    refundedAt: at(transaction.refunded_at),
    customer: {
      name: customer.name ?? "",
      email: customer.email ?? "",
      phone: customer.phone,
      document: customer.document,
      country: "BR",
      ...(client_ip && { ip: client_ip }),
    },
    products: (items.length > 0 ? items : [named]).map(({ id, name, amount }) => ({
      ...{ id, name, planId: null, planName: null, quantity: 1 },
      priceInCents: cents(amount),
    })),
    trackingParameters: {
      ...{ src: src ?? null, sck: sck ?? null },
      utm_source: utm.source ?? null,
      utm_campaign: utm.campaign ?? null,
      utm_medium: utm.medium ?? null,
      utm_content: utm.content ?? null,
      utm_term: utm.term ?? null,
    },
    commission: {
      totalPriceInCents: total,
      gatewayFeeInCents: total - cents(transaction.net_amount),
      userCommissionInCents: cents(transaction.net_amount),
      currency: transaction.currency,
    },
    isTest,
  };
}
