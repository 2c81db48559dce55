"use client";
import { QrCode } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useMay } from "@/components/account";
import { RecordActions } from "@/components/record/actions";
import { useRefundable } from "@/components/refunds/of-sale";
import type { TransactionDetail } from "@/components/transactions/queries";
import { useSimulation } from "@/components/transactions/sandbox";
import { ButtonLink } from "@/components/ui/button-link";
import { lazyWindow } from "@/components/ui/lazy-window";

const AskRefund = lazyWindow(() => import("@/components/refunds/ask").then((module) => module.AskRefund));
const SimulatePayment = lazyWindow(() =>
  import("@/components/transactions/simulate-payment").then((module) => module.SimulatePayment),
);
const SimulateDispute = lazyWindow(() =>
  import("@/components/transactions/simulate-dispute").then((module) => module.SimulateDispute),
);

/** To ask for a refund of the sale and, in a sandbox, what the payer would do with it. */
export function SaleActions({ detail }: { detail: TransactionDetail }) {
  const t = useTranslations("deposits");
  const refunds = useTranslations("refunds");
  const simulations = useTranslations("simulation");
  const [asking, ask] = useState<"refund" | "payment" | "dispute" | null>(null);
  const close = () => ask(null);
  const maySimulate = useMay("sandbox:write");
  const isRefundable = useRefundable(detail);
  const { transaction, payment } = detail;
  const allowed = maySimulate ? detail.allowed_actions : [];
  const simulate = useSimulation(transaction.reference_id);
  const isOpenPix = transaction.status === "pending" && payment.pix !== null;
  const actions = [
    isRefundable && { label: refunds("open"), act: () => ask("refund") },
    allowed.includes("simulate_payment") && {
      label: t(simulate.isPaying ? "simulating" : "simulatePayment"),
      act: () => simulate.mutate("pay"),
      busy: simulate.isPaying,
    },
    allowed.includes("simulate_payment") && { label: simulations("pay.open"), act: () => ask("payment") },
    allowed.includes("expire") && {
      label: t(simulate.isExpiring ? "simulating" : "simulateExpiry"),
      act: () => simulate.mutate("expire"),
      busy: simulate.isExpiring,
    },
    allowed.includes("simulate_dispute") && { label: simulations("dispute.open"), act: () => ask("dispute") },
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
      {asking === "refund" && isRefundable && <AskRefund sale={detail} onClose={close} />}
      {asking === "payment" && <SimulatePayment detail={detail} onClose={close} />}
      {asking === "dispute" && <SimulateDispute detail={detail} onClose={close} />}
    </RecordActions>
  );
}
