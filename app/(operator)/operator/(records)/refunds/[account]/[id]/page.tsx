import { notFound } from "next/navigation";
import { found, Hydrated } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { ReviewPage } from "@/components/operator/refund";
import { reviewQuery } from "@/components/operator/refund-queries";
import { reviewedTimelineQuery } from "@/components/timeline/query";
import { requireStaff } from "@/lib/auth/session";
import { isId } from "@/lib/ids";
import { readReview } from "@/lib/refunds/review";
import { readTimelineForReview } from "@/lib/timeline/read";

const texts = ["reviews", "refunds", "timeline", "deliveries", "card"] as const;

export const generateMetadata = titled("refunds", "one");

export default async function Page({ params }: { params: Promise<{ account: string; id: string }> }) {
  const person = await requireStaff();
  const { account, id } = await params;
  if (!isId(account)) notFound();
  const review = await found(readReview(account, id));
  const sale = review.data.refund.transaction.reference_id;
  return (
    <Texts of={texts}>
      <Hydrated
        for={person}
        reads={[
          [reviewQuery(account, id), async () => review],
          [
            reviewedTimelineQuery({ seller: account, subject: "transaction", id: sale }),
            () => readTimelineForReview(account, "transaction", sale),
          ],
        ]}
      >
        <ReviewPage account={account} code={id} />
      </Hydrated>
    </Texts>
  );
}
