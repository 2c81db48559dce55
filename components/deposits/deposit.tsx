"use client";
import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { ExpiredDeposit, PaidDeposit } from "@/components/deposits/ended";
import { OpenDeposit } from "@/components/deposits/open";
import { detailQuery, type TransactionDetail } from "@/components/transactions/queries";
import { Loaded } from "@/components/ui/loaded";
import { PageHead } from "@/components/ui/page";

const POLL_MS = 2_000;

type Props = { id: string; qrPath: string; qrSize: number };

/** One Pix deposit: the code while it is open, then its outcome. The page updates by itself. */
export function Deposit({ id, ...qr }: Props) {
  const { account } = useApi();
  const result = useQuery({
    ...detailQuery(account, id),
    refetchInterval: ({ state }) => (state.data?.data.transaction.status === "pending" ? POLL_MS : false),
  });
  const { refetch } = result;
  const look = useCallback(() => void refetch(), [refetch]);
  return <Loaded result={result}>{({ data }) => <Known detail={data} {...qr} onEnd={look} />}</Loaded>;
}

function Known(props: { detail: TransactionDetail; onEnd: () => void } & Omit<Props, "id">) {
  const t = useTranslations("deposits");
  const { detail } = props;
  const { status } = detail.transaction;
  const title = status === "pending" ? t("title") : status === "completed" ? t("paidTitle") : t("expiredTitle");
  return (
    <>
      <PageHead title={title} />
      <p role="status" className="sr-only">
        {status === "pending" ? "" : title}
      </p>
      {status === "pending" ? (
        <OpenDeposit {...props} />
      ) : status === "completed" ? (
        <PaidDeposit detail={detail} />
      ) : (
        <ExpiredDeposit detail={detail} />
      )}
    </>
  );
}
