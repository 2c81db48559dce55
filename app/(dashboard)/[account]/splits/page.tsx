import { Hydrated, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { received, SPLITS_PER_PAGE } from "@/components/splits/queries";
import { ReceivedSplits } from "@/components/splits/received";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { listReceived } from "@/lib/subscription-splits/read";
import { SplitQuery } from "@/lib/subscription-splits/schema";

export const generateMetadata = titled("splits", "title");

export default async function SplitsPage({ params, searchParams }: InAccount & Searched) {
  const { account } = await requireAccount(params, "splits:read");
  const filters = received.filtersOf(await searchParams);
  const read = async () => listReceived(account, SplitQuery.parse({ ...filters, per_page: SPLITS_PER_PAGE }));
  const curl = `curl ${env.APP_URL}/api/partner/v1/subscription-splits/mine -H "Authorization: Bearer $TOKEN"`;
  return (
    <Hydrated reads={[[received.of(account.id, filters), read]]}>
      <ReceivedSplits curl={curl} />
    </Hydrated>
  );
}
