import { Hydrated, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { Earnings } from "@/components/splits/earnings";
import { SPLITS_PER_PAGE, totals } from "@/components/splits/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { listTotals } from "@/lib/earnings/read";
import { env } from "@/lib/env";
import { PageQuery } from "@/lib/lists/pagination";

export const generateMetadata = titled("splits", "tabs.earnings");

export default async function EarningsPage({ params, searchParams }: InAccount & Searched) {
  const { account } = await requireAccount(params, "splits:read");
  const filters = totals.filtersOf(await searchParams);
  const read = async () => listTotals(account, PageQuery.parse({ ...filters, per_page: SPLITS_PER_PAGE }));
  const curl = `curl ${env.APP_URL}/api/partner/v1/earnings/months -H "Authorization: Bearer $TOKEN"`;
  return (
    <Hydrated reads={[[totals.of(account.id, filters), read]]}>
      <Earnings curl={curl} />
    </Hydrated>
  );
}
