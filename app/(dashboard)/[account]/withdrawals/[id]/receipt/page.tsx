import { notFound } from "next/navigation";
import { Hydrated, type InRecord } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { withdrawalQuery } from "@/components/withdrawals/queries";
import { WithdrawalReceipt } from "@/components/withdrawals/receipt";
import { requireAccount } from "@/lib/auth/session";
import { readWithdrawalDetail } from "@/lib/dashboard/withdrawal";
import { isId } from "@/lib/ids";

const texts = ["withdrawals"] as const;

export const generateMetadata = titled("withdrawals", "receipt.title");

export default async function ReceiptPage({ params }: InRecord) {
  const session = await requireAccount(params, "withdrawals:read", "cash_out");
  const { account, user } = session;
  const { id } = await params;
  if (!isId(id)) notFound();
  const read = async () => ({ data: await readWithdrawalDetail(account, id, user.id) });
  return (
    <Texts of={texts}>
      <Hydrated for={session} reads={[[withdrawalQuery(account.id, id), read]]}>
        <WithdrawalReceipt id={id} />
      </Hydrated>
    </Texts>
  );
}
