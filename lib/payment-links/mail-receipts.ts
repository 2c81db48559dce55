import type { Row } from "@/lib/database/json-rows";
import type { Query } from "@/lib/db";
import { env } from "@/lib/env";
import type { Happened } from "@/lib/events/consume";
import { type Mail, writeMails } from "@/lib/mail/write";
import { iso } from "@/lib/time/clock";
import { type Sale, type SoldItems, saleOf } from "@/lib/transactions/sale";
import type { Mode } from "@/prisma/client/enums";

/** A consumer of events: writes a receipt to whoever paid by a payment link, once for each payment. */
export async function mailReceipts(query: Query, events: readonly Happened[]): Promise<undefined> {
  const paid = events.filter(isPaidLink).map(({ record }) => saleOf(record as Row));
  if (paid.length === 0) return;
  const accounts = [...new Set(paid.map(({ accountId }) => accountId))];
  const sellers = await query<Seller>("receipts_sellers", SELLERS, [accounts]);
  const mails = paid.flatMap((sale) => {
    const seller = sellers.find(({ id }) => id === sale.accountId);
    const { clientEmail: email } = sale;
    return seller && email ? [receiptOf(sale, email, seller)] : [];
  });
  await writeMails(query, mails);
}

/** A sale that is completed again, because its dispute was won, has its receipt. */
function isPaidLink({ type, data, record }: Happened): boolean {
  const { status, previous_status: before } = data as { status?: string; previous_status?: string };
  const isPaid = status === "completed" && (before === "pending" || before === "expired");
  return type === "transaction.updated" && isPaid && "payment_link_id" in (record as object);
}

type Seller = { id: string; name: string; mode: Mode };

const SELLERS = "select id, name, mode from accounts where id = any($1::uuid[])";

function receiptOf(sale: Sale, email: string, { name: seller, mode }: Seller): Mail {
  const { id, accountId, paymentLinkId, clientName, method, paidAt, updatedAt } = sale;
  return {
    intent: `link_paid:${id}`,
    to: { email, locale: "pt-BR" },
    ...{ mode, accountId },
    content: {
      ...{ template: "link_paid", seller, method, amount: Number(sale.amount) },
      name: clientName ?? "",
      what: (sale.checkout as SoldItems | null)?.name ?? sale.description ?? seller,
      at: iso(paidAt ?? updatedAt),
      url: `${env.APP_URL}/checkout/${paymentLinkId}?payment=${id}`,
    },
  };
}
