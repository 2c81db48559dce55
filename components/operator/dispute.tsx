"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { apiOf } from "@/components/api";
import { Deadline } from "@/components/disputes/deadline";
import { DisputeFacts, Stake } from "@/components/disputes/facts";
import { savedAs } from "@/components/disputes/files";
import { reviewedDisputeQuery } from "@/components/disputes/queries";
import { DisputeStatusWord } from "@/components/disputes/status";
import { cents } from "@/components/format";
import { Back } from "@/components/operator/back";
import { useStaffMay } from "@/components/operator/person";
import { ReadRecord, Record } from "@/components/record/record";
import { ReviewedTimeline } from "@/components/timeline/timeline";
import { Button } from "@/components/ui/button";
import { Money } from "@/components/ui/money";
import { Section } from "@/components/ui/page";
import { PageLink } from "@/components/ui/page-link";
import type { DisputeDetail, DisputeReview } from "@/lib/disputes/schema";

type Review = Omit<DisputeReview, "dispute"> & { dispute: DisputeDetail };

/** One dispute for the staff: what is at stake, how its seller defends it, and the whole story of its sale. */
export function DisputeReviewPage({ account, code }: { account: string; code: string }) {
  const t = useTranslations("disputes");
  const result = useQuery(reviewedDisputeQuery(account, code));
  return (
    <>
      <Back href="/operator/disputes">{t("title")}</Back>
      <ReadRecord result={result} title={t("one")}>
        {({ data }) => <Known review={data} />}
      </ReadRecord>
    </>
  );
}

function Known({ review: { dispute, account } }: { review: Review }) {
  const id = dispute.transaction.reference_id;
  return (
    <Record
      title={<Money cents={cents(dispute.amount)} className="text-figure tracking-[-0.02em]" />}
      status={
        <>
          <DisputeStatusWord status={dispute.status} />
          <span className="wrap-anywhere min-w-0">{account.name}</span>
          <span className="text-muted">
            <Deadline dispute={dispute} />
          </span>
        </>
      }
      timeline={<ReviewedTimeline seller={account.id} subject="transaction" id={id} record={dispute} />}
      aside={
        <DisputeFacts
          dispute={dispute}
          sale={
            <PageLink
              href={`/operator/accounts/${account.id}/transactions/${id}`}
              className="underline underline-offset-4"
            >
              {account.name}
            </PageLink>
          }
        />
      }
    >
      <Stake dispute={dispute} />
      <Sent account={account.id} dispute={dispute} />
    </Record>
  );
}

/** What the seller sent. Files are for whoever may see the persons in them. */
function Sent({ account, dispute }: { account: string; dispute: DisputeDetail }) {
  const t = useTranslations("disputes");
  const mayOpen = useStaffMay("personal:read");
  const path = `/api/operator/v1/accounts/${account}/disputes/${dispute.code}/files` as const;
  return (
    <Section title={t("defence.title")}>
      <div className="grid gap-3">
        <p className="wrap-anywhere max-w-[72ch] whitespace-pre-line">{dispute.defence ?? t("defence.none")}</p>
        {dispute.files.length > 0 && (
          <ul className="grid gap-2">
            {dispute.files.map((file) => (
              <li key={file.id} className="flex flex-wrap items-center gap-x-3">
                <span className="wrap-anywhere min-w-0">{file.name}</span>
                {mayOpen && (
                  <Button
                    look="quiet"
                    size="small"
                    aria-label={t("files.downloadNamed", { name: file.name })}
                    onClick={() => apiOf(null).download(`${path}/${file.id}`, {}, savedAs(file))}
                  >
                    {t("files.download")}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}
