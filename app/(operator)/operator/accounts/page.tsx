import { Hydrated, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { filtersOf } from "@/components/list/address";
import { Sellers } from "@/components/operator/list";
import { filterNames, PER_PAGE, sellersQuery } from "@/components/operator/queries";
import { listAccounts } from "@/lib/accounts/list";
import { AccountsQuery } from "@/lib/accounts/schema";
import { requireStaff } from "@/lib/auth/session";

export const generateMetadata = titled("operator", "accounts");

export default async function AccountsPage({ searchParams }: Searched) {
  await requireStaff();
  const filters = filtersOf(new URLSearchParams(await searchParams), filterNames);
  const read = async () => listAccounts(AccountsQuery.parse({ ...filters, per_page: PER_PAGE }));
  return (
    <Hydrated reads={[[sellersQuery(filters), read]]}>
      <Sellers />
    </Hydrated>
  );
}
