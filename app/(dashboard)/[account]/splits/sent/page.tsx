import { Hydrated, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { SPLITS_PER_PAGE, sent } from "@/components/splits/queries";
import { SentSplits } from "@/components/splits/sent";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { listSent } from "@/lib/subscription-splits/read";
import { SplitQuery } from "@/lib/subscription-splits/schema";

export const generateMetadata = titled("splits", "tabs.sent");

export default async function SentSplitsPage({ params, searchParams }: InAccount & Searched) {
  const { account } = await requireAccount(params, "splits:read", "recurring");
  const filters = sent.filtersOf(await searchParams);
  const read = async () => listSent(account, SplitQuery.parse({ ...filters, per_page: SPLITS_PER_PAGE }));
  const curl = `curl -X POST ${env.APP_URL}/api/partner/v1/subscription-plans/$PLAN/splits -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"email": "ana@exemplo.com.br", "percentage": "12.5"}'`;
  return (
    <Hydrated reads={[[sent.of(account.id, filters), read]]}>
      <SentSplits curl={curl} />
    </Hydrated>
  );
}
