import { Hydrated } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { trackingQuery } from "@/components/tracking/queries";
import { TrackingPage } from "@/components/tracking/tracking";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { readTracking } from "@/lib/tracking/read";

export const generateMetadata = titled("settings", "tabs.tracking");

export default async function Page({ params }: InAccount) {
  const session = await requireAccount(params, "webhooks:read");
  const { account } = session;
  return (
    <Hydrated for={session} reads={[[trackingQuery(account.id), () => readTracking(account.id)]]}>
      <TrackingPage />
    </Hydrated>
  );
}
