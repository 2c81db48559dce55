import { Hydrated, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { Sales } from "@/components/transactions/list";
import { PER_PAGE, sales } from "@/components/transactions/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { listTransactions } from "@/lib/transactions/list";
import { TransactionQuery } from "@/lib/transactions/schema";

export const generateMetadata = titled("sales", "title");

export default async function TransactionsPage({ params, searchParams }: InAccount & Searched) {
  const { account } = await requireAccount(params, "transactions:read");
  const filters = sales.filtersOf(await searchParams);
  const read = async () => listTransactions(account, TransactionQuery.parse({ ...filters, per_page: PER_PAGE }));
  const curl = `curl -X POST ${env.APP_URL}/api/partner/v1/cash-in -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"amount": 10.00}'`;
  return (
    <Hydrated reads={[[sales.of(account.id, filters), read]]}>
      <Sales curl={curl} />
    </Hydrated>
  );
}
