import { notFound } from "next/navigation";
import { found, Hydrated, type Read } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { UnmatchedPage } from "@/components/operator/unmatched-detail";
import { unmatchedQuery } from "@/components/operator/unmatched-queries";
import { reviewedTimelineQuery } from "@/components/timeline/query";
import { requireStaff } from "@/lib/auth/session";
import { isId } from "@/lib/ids";
import { readTimelineForReview } from "@/lib/timeline/read";
import { readUnmatched } from "@/lib/unmatched/read";

const texts = ["unmatched", "status", "timeline", "deliveries", "card"] as const;

export const generateMetadata = titled("unmatched", "one");

export default async function Page({ params }: { params: Promise<{ account: string; id: string }> }) {
  const person = await requireStaff();
  const { account, id } = await params;
  if (!isId(account) || !isId(id)) notFound();
  const money = await found(readUnmatched({ accountId: account, id }));
  const { transaction: sale } = money.data;
  return (
    <Texts of={texts}>
      <Hydrated
        for={person}
        reads={[[unmatchedQuery(account, id), async () => money], ...(sale ? [timelineOf(account, sale)] : [])]}
      >
        <UnmatchedPage account={account} id={id} />
      </Hydrated>
    </Texts>
  );
}

const timelineOf = (seller: string, id: string): Read => [
  reviewedTimelineQuery({ seller, subject: "transaction", id }),
  () => readTimelineForReview(seller, "transaction", id),
];
