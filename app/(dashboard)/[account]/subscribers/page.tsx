import { Hydrated, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { Subscribers } from "@/components/subscribers/list";
import { SUBSCRIBERS_PER_PAGE, subscribers } from "@/components/subscribers/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { listSubscribers } from "@/lib/subscriptions/read";
import { SubscriberQuery } from "@/lib/subscriptions/schema";

export const generateMetadata = titled("subscribers", "title");

export default async function SubscribersPage({ params, searchParams }: InAccount & Searched) {
  const { id } = (await requireAccount(params, "subscriptions:read", "recurring")).account;
  const filters = subscribers.filtersOf(await searchParams);
  const query = { ...filters, per_page: SUBSCRIBERS_PER_PAGE };
  const read = async () => listSubscribers(id, SubscriberQuery.parse(query));
  const curl = `curl ${env.APP_URL}/api/partner/v1/subscribers -H "Authorization: Bearer $TOKEN"`;
  return (
    <Hydrated reads={[[subscribers.of(id, filters), read]]}>
      <Subscribers curl={curl} />
    </Hydrated>
  );
}
