import { Hydrated, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { Sellers } from "@/components/operator/list";
import { PER_PAGE, sellers } from "@/components/operator/queries";
import { listAccounts } from "@/lib/accounts/list";
import { AccountsQuery } from "@/lib/accounts/schema";
import { requireStaff } from "@/lib/auth/session";

export const generateMetadata = titled("operator", "accounts");

export default async function AccountsPage({ searchParams }: Searched) {
  await requireStaff();
  const filters = sellers.filtersOf(await searchParams);
  const read = async () => listAccounts(AccountsQuery.parse({ ...filters, per_page: PER_PAGE }));
  return (
    <Hydrated reads={[[sellers.of(null, filters), read]]}>
      <Sellers />
    </Hydrated>
  );
}
