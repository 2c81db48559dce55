import { Hydrated, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { Overdue } from "@/components/subscriptions/overdue";
import { overdue, SUBSCRIPTIONS_PER_PAGE } from "@/components/subscriptions/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { listSubscriptions } from "@/lib/subscriptions/read";
import { SubscriptionQuery } from "@/lib/subscriptions/schema";

export const generateMetadata = titled("subscriptions", "overdue.title");

export default async function OverduePage({ params, searchParams }: InAccount & Searched) {
  const { id } = (await requireAccount(params, "subscriptions:read", "recurring")).account;
  const filters = overdue.filtersOf(await searchParams);
  const query = { ...filters, owing: "true", per_page: SUBSCRIPTIONS_PER_PAGE };
  const read = async () => listSubscriptions(id, SubscriptionQuery.parse(query));
  const curl = `curl "${env.APP_URL}/api/partner/v1/subscriptions?owing=true" -H "Authorization: Bearer $TOKEN"`;
  return (
    <Hydrated reads={[[overdue.of(id, filters), read]]}>
      <Overdue curl={curl} />
    </Hydrated>
  );
}
