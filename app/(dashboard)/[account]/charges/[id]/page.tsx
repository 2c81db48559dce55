import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import QRCode from "qrcode";
import { Charge } from "@/components/charges/charge";
import { detailQuery } from "@/components/transactions/queries";
import { requireAccount } from "@/lib/auth/session";
import { readTransactionDetail } from "@/lib/dashboard/transaction";
import { AppError } from "@/lib/errors";
import { getTranslations } from "@/lib/i18n";
import { isId } from "@/lib/ids";

type Props = { params: Promise<{ account: string; id: string }> };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("charges"))("title") };
}

export default async function ChargePage({ params }: Props) {
  const { account } = await requireAccount(params, "transactions:read");
  const { id } = await params;
  if (!isId(id)) notFound();
  const client = new QueryClient();
  const data = await readTransactionDetail(account, id).catch(missing);
  const code = data.payment.pix?.code;
  if (!code) notFound();
  client.setQueryData(detailQuery(account.id, id).queryKey, { data });
  return (
    <HydrationBoundary state={dehydrate(client)}>
      <Charge id={id} {...qrOf(code)} />
    </HydrationBoundary>
  );
}

function missing(error: unknown): never {
  if (error instanceof AppError && error.code === "transaction_not_found") notFound();
  throw error;
}

/** The code as one path of unit squares, a run of dark modules a step; the white card around it is the quiet zone. */
function qrOf(code: string) {
  const { size, data } = QRCode.create(code, { errorCorrectionLevel: "M" }).modules;
  let qrPath = "";
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (data[row * size + column]) qrPath += `M${column} ${row}h1v1h-1z`;
    }
  }
  return { qrPath, qrSize: size };
}
