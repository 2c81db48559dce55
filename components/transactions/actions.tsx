"use client";
import { QrCode } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { RecordActions } from "@/components/record/actions";
import { useRefundable } from "@/components/refunds/of-sale";
import type { TransactionDetail } from "@/components/transactions/queries";
import { useSimulation } from "@/components/transactions/sandbox";
import { ButtonLink } from "@/components/ui/button-link";
import { lazyWindow } from "@/components/ui/lazy-window";

const AskRefund = lazyWindow(() => import("@/components/refunds/ask").then((module) => module.AskRefund));

/** The actions that the API allows on the sale now, and to ask for a refund of it. */
export function SaleActions({ detail }: { detail: TransactionDetail }) {
  const t = useTranslations("deposits");
  const refunds = useTranslations("refunds");
  const [asking, setAsking] = useState(false);
  const isRefundable = useRefundable(detail);
  const { transaction, allowed_actions, payment } = detail;
  const simulate = useSimulation(transaction.reference_id);
  const isOpenPix = transaction.status === "pending" && payment.pix !== null;
  const actions = [
    isRefundable && { label: refunds("open"), act: () => setAsking(true) },
    allowed_actions.includes("simulate_payment") && {
      label: t(simulate.isPaying ? "simulating" : "simulatePayment"),
      act: () => simulate.mutate("pay"),
      busy: simulate.isPaying,
    },
    allowed_actions.includes("expire") && {
      label: t(simulate.isExpiring ? "simulating" : "simulateExpiry"),
      act: () => simulate.mutate("expire"),
      busy: simulate.isExpiring,
    },
  ].filter((action) => action !== false);
  const code = isOpenPix && (
    <ButtonLink look="primary" href={`/charges/${transaction.reference_id}`}>
      <QrCode aria-hidden="true" />
      {t("showCode")}
    </ButtonLink>
  );
  return (
    <RecordActions primary={code || undefined} actions={actions}>
      <p role="status" className="sr-only">
        {simulate.isPending && t("simulating")}
      </p>
      {asking && isRefundable && <AskRefund sale={detail} onClose={() => setAsking(false)} />}
    </RecordActions>
  );
}
