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

export default async function Page({ params }: { params: Promise<{ id: string; sale: string }> }) {
  const person = await requireStaff();
  const { id, sale } = await params;
  if (!isId(id) || !isId(sale)) notFound();
  return (
    <Texts of={texts}>
      <Hydrated
        for={person}
        reads={[
          [sellersSaleQuery(id, sale), () => readSellersSale({ userId: person.id, accountId: id }, sale)],
          [
            reviewedTimelineQuery({ seller: id, subject: "transaction", id: sale }),
            () => readTimelineForReview(id, "transaction", sale),
          ],
        ]}
      >
        <SellersSalePage account={id} id={sale} />
      </Hydrated>
    </Texts>
  );
}
