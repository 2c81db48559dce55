import { notFound } from "next/navigation";
import { Hydrated } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { SellersSalePage } from "@/components/operator/sale";
import { sellersSaleQuery } from "@/components/operator/sale-queries";
import { reviewedTimelineQuery } from "@/components/timeline/query";
import { requireStaff } from "@/lib/auth/session";
import { readSellersSale } from "@/lib/dashboard/sellers-sales";
import { isId } from "@/lib/ids";
import { readTimelineForReview } from "@/lib/timeline/read";

const texts = ["sellersSales", "sale", "status", "refunds", "timeline", "deliveries", "card"] as const;

export const generateMetadata = titled("sellersSales", "one");

export default async function Page({ params }: { params: Promise<{ account: string; id: string }> }) {
  await requireStaff();
  const { account, id } = await params;
  if (!isId(account) || !isId(id)) notFound();
  return (
    <Texts of={texts}>
      <Hydrated
        reads={[
          [sellersSaleQuery(account, id), () => readSellersSale(account, id)],
          [
            reviewedTimelineQuery({ seller: account, subject: "transaction", id }),
            () => readTimelineForReview(account, "transaction", id),
          ],
        ]}
      >
        <SellersSalePage account={account} id={id} />
      </Hydrated>
    </Texts>
  );
}
