import { Hydrated, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { PaymentLinks } from "@/components/payment-links/list";
import { paymentLinks } from "@/components/payment-links/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { listPaymentLinks } from "@/lib/payment-links/read";
import { PaymentLinkQuery } from "@/lib/payment-links/schema";

export const generateMetadata = titled("paymentLinks", "title");

export default async function PaymentLinksPage({ params, searchParams }: InAccount & Searched) {
  const { account } = await requireAccount(params, "transactions:read");
  const filters = paymentLinks.filtersOf(await searchParams);
  const read = async () => listPaymentLinks(account, PaymentLinkQuery.parse(filters));
  const curl = `curl -X POST ${env.APP_URL}/api/partner/v1/payment-links -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"amount": "49.90", "description": "Oficina"}'`;
  return (
    <Hydrated reads={[[paymentLinks.of(account.id, filters), read]]}>
      <PaymentLinks curl={curl} />
    </Hydrated>
  );
}
