import type { Query } from "@/lib/db";
import type { Transaction } from "@/prisma/client/client";

/** A sale of any method: its row. Amounts in cents. */
export type Sale = Transaction;

/** A row of the table as JSON. */
export type Row = Record<string, Json>;

type Json = string | number | boolean | object | null | undefined;

const asIs = (json: Json) => json ?? null;
const cents = (json: Json) => BigInt(String(json));
const flag = (json: Json) => json === true;
const instant = (json: Json) => (json ? new Date(String(json)) : null);

/** Every column, and how its JSON is parsed. */
const columns: Record<keyof Sale, readonly [column: string, read: (json: Json) => unknown]> = {
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
  requestId: ["request_id", asIs],
  expiresAt: ["expires_at", instant],
  paidAt: ["paid_at", instant],
  createdAt: ["created_at", instant],
  updatedAt: ["updated_at", instant],
};

const entries = Object.entries(columns) as [keyof Sale, (typeof columns)[keyof Sale]][];

/** A sale from the JSON of its row (`to_jsonb`), which raw SQL and an event's record have. */
export const saleOf = (row: Row): Sale =>
  Object.fromEntries(entries.map(([name, [column, read]]) => [name, read(row[column])])) as Sale;

export const columnNames = entries.map(([, [column]]) => column).join(", ");
type Given = Partial<Record<keyof Sale, unknown>>;

/** The row of a sale as JSON for PostgreSQL's `json_populate_recordset`, without members that were not given. */
export const rowOf = (sale: Given): Record<string, unknown> =>
  Object.fromEntries(entries.map(([name, [column]]) => [column, sale[name]]));

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
