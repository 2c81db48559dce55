import type { AccountContext } from "@/lib/accounts/context";
import { readFor } from "@/lib/db";
import type { CsvRecord } from "@/lib/lists/csv";
import { decimal } from "@/lib/money";
import { localTime } from "@/lib/time/calendar";
import { filtersOf, readRows } from "@/lib/transactions/list";
import { presentTransactionV2 } from "@/lib/transactions/present";
import { relatedTo } from "@/lib/transactions/related";
import type { Sale } from "@/lib/transactions/sale";
import type { TransactionExport } from "@/lib/transactions/schema";
import { utmNames } from "@/lib/transactions/tracking";

const CHUNK = 2_500;

/** The sales of the list, all of them, newest first, some thousand at a time, with no transaction in between. */
export async function* exportTransactions(account: AccountContext, query: TransactionExport) {
  let cursor: string | undefined;
  do {
    const rows = await readFor(account.id, async (tx) => {
      const related = await relatedTo(tx, account.id, query);
      const filters = { ...filtersOf(account, query), related, status: query.status, cursor };
      return readRows(tx, filters, { skip: 0, take: CHUNK });
    });
    yield rows.map(exportedOf);
    cursor = rows.length === CHUNK ? rows.at(-1)?.id : undefined;
  } while (cursor);
}

/** A sale as V2 has it, whose members a role may see masked, and its amounts as decimals. */
const exportedOf = (sale: Sale) => ({
  ...presentTransactionV2(sale),
  amounts: [sale.amount, sale.fee, sale.net, sale.refundedAmount].map((cents) => ({ decimal: decimal(cents) })),
});

/** The head of the file's columns. */
export const exported = [
  ...["reference_id", "created_at", "paid_at", "payment_method", "status", "origin", "description"],
  ...["amount", "fee", "net_amount", "refunded_amount"],
  ...["customer_name", "customer_email", "customer_document", "end_to_end_id"],
  ...[...utmNames.map((name) => `utm_${name}`), "src", "sck"],
];

/** The cells of these columns. */
export function cellsOf({ transaction, amounts, customer, tracking }: ReturnType<typeof exportedOf>): CsvRecord {
  const { reference_id, created_at, paid_at, payment_method, status, origin, description, end_to_end_id } = transaction;
  const at = (time: string | null) => time && localTime(new Date(time));
  return [
    ...[reference_id, at(created_at), at(paid_at), payment_method, status, origin, description],
    ...amounts,
    ...[customer.name, customer.email, customer.document, end_to_end_id],
    ...[...utmNames.map((name) => tracking.utm[name]), tracking.src, tracking.sck].map((value) => value ?? null),
  ];
}
