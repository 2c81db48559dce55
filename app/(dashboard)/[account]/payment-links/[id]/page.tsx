import { notFound } from "next/navigation";
import { Hydrated, type InRecord, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { PaymentLinkDetail } from "@/components/payment-links/detail";
import { paymentLinkQuery, paymentsOf } from "@/components/payment-links/queries";
import { requireAccount } from "@/lib/auth/session";
import { isId } from "@/lib/ids";
import { CursorQuery } from "@/lib/lists/pagination";
import { listPayments } from "@/lib/payment-links/payments";
import { readPaymentLink } from "@/lib/payment-links/read";

export const generateMetadata = titled("paymentLinks", "one");

export default async function PaymentLinkPage({ params, searchParams }: InRecord & Searched) {
  const { account } = await requireAccount(params, "transactions:read");
  const { id } = await params;
  if (!isId(id)) notFound();
  const payments = paymentsOf(id);
  const filters = payments.filtersOf(await searchParams);
  const read = async () => listPayments(account.id, id, CursorQuery.parse(filters));
  return (
    <Hydrated
      reads={[
        [paymentLinkQuery(account.id, id), () => readPaymentLink(account, id)],
        [payments.of(account.id, filters), read],
      ]}
    >
      <PaymentLinkDetail id={id} />
    </Hydrated>
  );
}
