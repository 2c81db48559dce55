import { notFound } from "next/navigation";
import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { SubscriptionDetail } from "@/components/subscriptions/detail";
import { subscriptionQuery, timelineQuery } from "@/components/subscriptions/detail-queries";
import { requireAccount } from "@/lib/auth/session";
import { readSubscriptionTimeline } from "@/lib/dashboard/subscription";
import { isId } from "@/lib/ids";
import { readSubscription } from "@/lib/subscriptions/read";

type Props = { params: Promise<{ account: string; token: string }> };

export const generateMetadata = titled("subscriptions", "detail.title");

export default async function SubscriptionPage({ params }: Props) {
  const { account } = await requireAccount(params, "subscriptions:read", "recurring");
  const { token } = await params;
  if (!isId(token)) notFound();
  const timeline = async () => ({ data: await readSubscriptionTimeline(account, token) });
  return (
    <Hydrated
      reads={[
        [subscriptionQuery(account.id, token), () => readSubscription(account, token)],
        [timelineQuery(account.id, token), timeline],
      ]}
    >
      <SubscriptionDetail token={token} />
    </Hydrated>
  );
}
