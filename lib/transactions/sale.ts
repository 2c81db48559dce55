import { asIs, cents, defineColumns, flag, instant, type Row } from "@/lib/database/json-rows";
import type { Query } from "@/lib/db";
import type { Transaction } from "@/prisma/client/client";

/** A sale of any method: its row. Amounts in cents. */
export type Sale = Transaction;

/** What a sale keeps of what it sold, in its column `checkout`. Amounts in cents. */
export type SoldItems = {
  reference_id: string | null;
  name: string | null;
  items: { reference_id: string; name: string; type: string; amount: number }[];
};

/** The row of a sale as JSON for PostgreSQL's `json_populate_recordset`, and back. */
export const sales = defineColumns<Sale>({
  id: ["id", asIs],
  accountId: ["account_id", asIs],
  method: ["method", asIs],
  origin: ["origin", asIs],
  status: ["status", asIs],
  amount: ["amount", cents],
  fee: ["fee", cents],
  net: ["net", cents],
  description: ["description", asIs],
  externalId: ["external_id", asIs],
  clientName: ["client_name", asIs],
  clientEmail: ["client_email", asIs],
  clientDocument: ["client_document", asIs],
  clientPhone: ["client_phone", asIs],
  txid: ["txid", asIs],
  pixCode: ["pix_code", asIs],
  endToEndId: ["end_to_end_id", asIs],
  payer: ["payer", asIs],
  cardBrand: ["card_brand", asIs],
  cardLast4: ["card_last4", asIs],
  installments: ["installments", asIs],
  clientIp: ["client_ip", asIs],
  userAgent: ["user_agent", asIs],
  refusedReason: ["refused_reason", asIs],
  settleAt: ["settle_at", instant],
  settledAt: ["settled_at", instant],
  callback: ["callback", asIs],
  legacy: ["legacy", asIs],
  late: ["late", flag],
  checkout: ["checkout", asIs],
  productId: ["product_id", asIs],
  planId: ["plan_id", asIs],
  paymentLinkId: ["payment_link_id", asIs],
  deliveryAddress: ["delivery_address", asIs],
  subscriptionId: ["subscription_id", asIs],
  cycleId: ["cycle_id", asIs],
  requestId: ["request_id", asIs],
  byVisitor: ["by_visitor", asIs],
  expiresAt: ["expires_at", instant],
  paidAt: ["paid_at", instant],
  createdAt: ["created_at", instant],
  updatedAt: ["updated_at", instant],
});

export const saleOf = sales.of;

/**
 * SQL: the record that an event keeps of the row `sale`. Nulls are left out, except those within `legacy`, which are
 * the caller's own and are returned to the caller.
 */
export const recordOf = (sale: string) =>
  `jsonb_strip_nulls(to_jsonb(${sale}) - 'legacy')
    || case when ${sale}.legacy is null then '{}' else jsonb_build_object('legacy', ${sale}.legacy) end`;

/** Reads a sale that must exist, in a verb's own transaction. */
export async function readSale(query: Query, { accountId, id }: Pick<Sale, "accountId" | "id">): Promise<Sale> {
  const [found] = await query<{ sale: Row }>("sale_read", READ, [accountId, id]);
  if (!found) throw new Error(`No sale ${id}`);
  return saleOf(found.sale);
}

const READ = "select to_jsonb(t) as sale from transactions t where account_id = $1::uuid and id = $2::uuid";
