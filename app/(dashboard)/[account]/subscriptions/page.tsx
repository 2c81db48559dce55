import { Hydrated, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { Subscriptions } from "@/components/subscriptions/list";
import { asked, PLANS_LISTED, plansToFilter, subscriptions } from "@/components/subscriptions/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { listPlans } from "@/lib/plans/read";
import { PlanQuery } from "@/lib/plans/schema";
import { listSubscriptions } from "@/lib/subscriptions/read";
import { SubscriptionQuery } from "@/lib/subscriptions/schema";

export const generateMetadata = titled("subscriptions", "list.title");

export default async function SubscriptionsPage({ params, searchParams }: InAccount & Searched) {
  const { id } = (await requireAccount(params, "subscriptions:read", "recurring")).account;
  const filters = subscriptions.filtersOf(await searchParams);
  const read = async () => listSubscriptions(id, SubscriptionQuery.parse(asked(filters)));
  const plans = async () => listPlans(id, PlanQuery.parse({ per_page: PLANS_LISTED }));
  const curl = `curl -X POST ${env.APP_URL}/api/partner/v1/subscription-plans/$PLAN/enroll -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"name": "Ana Prado", "email": "ana@exemplo.com.br", "document": "52998224725"}'`;
  return (
    <Hydrated
      reads={[
        [subscriptions.of(id, filters), read],
        [plansToFilter(id), plans],
      ]}
    >
      <Subscriptions curl={curl} />
    </Hydrated>
  );
}
