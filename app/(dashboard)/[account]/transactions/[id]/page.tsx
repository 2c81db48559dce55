import { notFound } from "next/navigation";
import { Hydrated, type InRecord } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { SaleDetail } from "@/components/transactions/detail";
import { detailQuery } from "@/components/transactions/queries";
import { requireAccount } from "@/lib/auth/session";
import { readTransactionDetail } from "@/lib/dashboard/transaction";
import { isId } from "@/lib/ids";

export const generateMetadata = titled("sale", "title");

export default async function TransactionPage({ params }: InRecord) {
  const { account } = await requireAccount(params, "transactions:read");
  const { id } = await params;
  if (!isId(id)) notFound();
  const read = async () => ({ data: await readTransactionDetail(account, id) });
  return (
    <Hydrated reads={[[detailQuery(account.id, id), read]]}>
      <SaleDetail id={id} />
    </Hydrated>
  );
}
