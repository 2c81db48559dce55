import { Hydrated, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { EarningSales } from "@/components/splits/earning-sales";
import { earnings, SALES_PER_PAGE, SPLITS_PER_PAGE, totals } from "@/components/splits/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { listEarnings, listTotals } from "@/lib/earnings/read";
import { EarningQuery } from "@/lib/earnings/schema";
import { env } from "@/lib/env";

export const generateMetadata = titled("splits", "salesTitle");

export default async function EarningSalesPage({ params, searchParams }: InAccount & Searched) {
  const { account } = await requireAccount(params, "splits:read");
  const filters = earnings.filtersOf(await searchParams);
  const read = async () => listEarnings(account, EarningQuery.parse({ ...filters, per_page: SALES_PER_PAGE }));
  const curl = `curl ${env.APP_URL}/api/partner/v1/earnings -H "Authorization: Bearer $TOKEN"`;
  return (
    <Hydrated
      reads={[
        [earnings.of(account.id, filters), read],
        [totals.of(account.id, {}), () => listTotals(account, { page: 1, per_page: SPLITS_PER_PAGE })],
      ]}
    >
      <EarningSales curl={curl} />
    </Hydrated>
  );
}
