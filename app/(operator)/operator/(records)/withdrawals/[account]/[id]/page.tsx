import { notFound } from "next/navigation";
import { found, Hydrated } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { StaffWithdrawalPage } from "@/components/operator/withdrawal";
import { staffWithdrawalQuery } from "@/components/operator/withdrawal-queries";
import { reviewedTimelineQuery } from "@/components/timeline/query";
import { requireStaff } from "@/lib/auth/session";
import { isId } from "@/lib/ids";
import { readTimelineForReview } from "@/lib/timeline/read";
import { readForDecision } from "@/lib/withdrawals/waiting";

const texts = ["payouts", "withdrawals", "timeline", "deliveries", "card"] as const;

export const generateMetadata = titled("payouts", "one");

export default async function Page({ params }: { params: Promise<{ account: string; id: string }> }) {
  const person = await requireStaff();
  const { account, id } = await params;
  if (!isId(account) || !isId(id)) notFound();
  const read = await found(readForDecision(account, id));
  const timeline = { seller: account, subject: "withdrawal", id } as const;
  return (
    <Texts of={texts}>
      <Hydrated
        for={person}
        reads={[
          [staffWithdrawalQuery(account, id), async () => read],
          [reviewedTimelineQuery(timeline), () => readTimelineForReview(account, "withdrawal", id)],
        ]}
      >
        <StaffWithdrawalPage account={account} id={id} />
      </Hydrated>
    </Texts>
  );
}
