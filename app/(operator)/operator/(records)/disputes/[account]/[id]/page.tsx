import { notFound } from "next/navigation";
import { found, Hydrated } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { reviewedDisputeQuery } from "@/components/disputes/queries";
import { DisputeReviewPage } from "@/components/operator/dispute";
import { reviewedTimelineQuery } from "@/components/timeline/query";
import { requireStaff } from "@/lib/auth/session";
import { readDisputeReview } from "@/lib/disputes/review";
import { isId } from "@/lib/ids";
import { readTimelineForReview } from "@/lib/timeline/read";

const texts = ["disputes", "timeline", "deliveries", "card"] as const;

export const generateMetadata = titled("disputes", "one");

export default async function Page({ params }: { params: Promise<{ account: string; id: string }> }) {
  const person = await requireStaff();
  const { account, id } = await params;
  if (!isId(account)) notFound();
  const review = await found(readDisputeReview(account, id));
  const sale = review.data.dispute.transaction.reference_id;
  return (
    <Texts of={texts}>
      <Hydrated
        for={person}
        reads={[
          [reviewedDisputeQuery(account, id), async () => review],
          [
            reviewedTimelineQuery({ seller: account, subject: "transaction", id: sale }),
            () => readTimelineForReview(account, "transaction", sale),
          ],
        ]}
      >
        <DisputeReviewPage account={account} code={id} />
      </Hydrated>
    </Texts>
  );
}
