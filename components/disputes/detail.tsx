"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi, useMay, useSession } from "@/components/account";
import { Deadline } from "@/components/disputes/deadline";
import { Defence } from "@/components/disputes/defence";
import { DisputeFacts, Stake } from "@/components/disputes/facts";
import { disputeQuery } from "@/components/disputes/queries";
import { SimulateEnd } from "@/components/disputes/simulate";
import { DisputeStatusWord } from "@/components/disputes/status";
import { cents } from "@/components/format";
import { ReadRecord, Record } from "@/components/record/record";
import { RecordTimeline } from "@/components/timeline/timeline";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { AccountLink } from "@/components/ui/link";
import { Money } from "@/components/ui/money";
import type { DisputeDetail } from "@/lib/disputes/schema";

/** How often an open dispute is read again; the simulated provider decides at once. */
const POLL_MS = { live: 30_000, sandbox: 3_000 };

/** One dispute: what is at stake, how it is defended, and what became of it. */
export function DisputePage({ id: code }: { id: string }) {
  const t = useTranslations("disputes");
  const { mode } = useSession().account;
  const result = useQuery({
    ...disputeQuery(useApi().account, code),
    refetchInterval: ({ state }) => (state.data?.data.status === "open" ? POLL_MS[mode] : false),
  });
  return (
    <ReadRecord result={result} title={t("one")}>
      {({ data }) => <Known dispute={data} />}
    </ReadRecord>
  );
}

function Known({ dispute }: { dispute: DisputeDetail }) {
  const t = useTranslations("disputes");
  const mayWrite = useMay("disputes:write");
  const isSandbox = useSession().account.mode === "sandbox";
  const maySimulate = useMay("sandbox:write") && isSandbox && dispute.status === "open";
  const { code, status, amount, transaction } = dispute;
  return (
    <Record
      trail={<Breadcrumb href="/disputes" list={t("title")} here={code.slice(-8)} />}
      title={<Money cents={cents(amount)} className="text-figure tracking-[-0.02em]" />}
      status={
        <>
          <DisputeStatusWord status={status} />
          <span className="text-muted">
            <Deadline dispute={dispute} />
          </span>
        </>
      }
      actions={maySimulate && <div className="flex flex-wrap gap-2">{<SimulateEnd code={code} />}</div>}
      aside={
        <DisputeFacts
          dispute={dispute}
          sale={
            <AccountLink href={`/transactions/${transaction.reference_id}`} className="underline underline-offset-4">
              {t("sale.open")}
            </AccountLink>
          }
        />
      }
      timeline={<RecordTimeline subject="dispute" id={code} record={dispute} />}
      raw={dispute}
    >
      <Stake dispute={dispute} />
      <Defence dispute={dispute} mayWrite={mayWrite} />
    </Record>
  );
}
