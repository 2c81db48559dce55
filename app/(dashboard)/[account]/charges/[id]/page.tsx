import { notFound } from "next/navigation";
import { found, Hydrated, type InRecord } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { Deposit } from "@/components/deposits/deposit";
import { detailQuery } from "@/components/transactions/queries";
import { qrOf } from "@/components/ui/qr";
import { requireAccount } from "@/lib/auth/session";
import { readTransactionDetail } from "@/lib/dashboard/transaction";
import { isId } from "@/lib/ids";

export const generateMetadata = titled("deposits", "title");

export default async function ChargePage({ params }: InRecord) {
  const session = await requireAccount(params, "transactions:read");
  const { account } = session;
  const { id } = await params;
  if (!isId(id)) notFound();
  const data = await found(readTransactionDetail(account, id));
  const code = data.payment.pix?.code;
  if (!code) notFound();
  return (
    <Hydrated for={session} reads={[[detailQuery(account.id, id), async () => ({ data })]]}>
      <Deposit id={id} {...qrOf(code)} />
    </Hydrated>
  );
}
