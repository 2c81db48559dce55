"use client";
import { QrCode } from "lucide-react";
import { useTranslations } from "use-intl";
import type { TransactionDetail } from "@/components/transactions/queries";
import { useSimulation } from "@/components/transactions/sandbox";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";

/** The actions that the API allows on the sale now. */
export function SaleActions({ detail }: { detail: TransactionDetail }) {
  const t = useTranslations("deposits");
  const { transaction, allowed_actions, payment } = detail;
  const simulate = useSimulation(transaction.reference_id);
  const isOpenPix = transaction.status === "pending" && payment.pix !== null;
  return (
    <div className="flex flex-wrap gap-2">
      {isOpenPix && (
        <ButtonLink look="primary" href={`/charges/${transaction.reference_id}`}>
          <QrCode aria-hidden="true" />
          {t("showCode")}
        </ButtonLink>
      )}
      {allowed_actions.includes("simulate_payment") && (
        <Button busy={simulate.isPending} onClick={() => simulate.mutate("pay")}>
          {t(simulate.isPaying ? "simulating" : "simulatePayment")}
        </Button>
      )}
      {allowed_actions.includes("expire") && (
        <Button look="quiet" busy={simulate.isPending} onClick={() => simulate.mutate("expire")}>
          {t(simulate.isExpiring ? "simulating" : "simulateExpiry")}
        </Button>
      )}
      <p role="status" className="sr-only">
        {simulate.isPending && t("simulating")}
      </p>
    </div>
  );
}
