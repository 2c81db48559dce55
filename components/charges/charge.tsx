"use client";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslations } from "use-intl";
import { ExpiredCharge, PaidCharge } from "@/components/charges/ended";
import { OpenCharge } from "@/components/charges/open";
import { useApi } from "@/components/frame/account";
import { detailQuery } from "@/components/transactions/queries";
import { PageHead } from "@/components/ui/page";
import { Failure } from "@/components/ui/state";

const POLL_MS = 2_000;

/** One Pix charge as shown to whoever will pay: the code while it is open, then what became of it, by itself. */
export function Charge({ id, qrPath, qrSize }: { id: string; qrPath: string; qrSize: number }) {
  const t = useTranslations("charges");
  const { account } = useApi();
  const { data, error, refetch } = useQuery({
    ...detailQuery(account, id),
    refetchInterval: ({ state }) => (state.data?.data.transaction.status === "pending" ? POLL_MS : false),
  });
  const look = useCallback(() => void refetch(), [refetch]);
  if (!data) return error && <Failure error={error} onRetry={look} />;
  const { status } = data.data.transaction;
  const title = status === "pending" ? t("title") : status === "completed" ? t("paidTitle") : t("expiredTitle");
  return (
    <>
      <PageHead title={title} />
      {error && <Failure error={error} onRetry={look} slim />}
      <p role="status" className="sr-only">
        {status === "pending" ? "" : title}
      </p>
      {status === "pending" ? (
        <OpenCharge detail={data.data} qrPath={qrPath} qrSize={qrSize} onEnd={look} />
      ) : status === "completed" ? (
        <PaidCharge detail={data.data} />
      ) : (
        <ExpiredCharge detail={data.data} />
      )}
    </>
  );
}
