"use client";
import { useTranslations } from "use-intl";
import { Countdown } from "@/components/deposits/countdown";
import { cents, useNumbers } from "@/components/format";
import type { TransactionDetail } from "@/components/transactions/queries";
import { useSimulation } from "@/components/transactions/sandbox";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { CopyButton } from "@/components/ui/copy";
import { Money } from "@/components/ui/money";
import { Figure } from "@/components/ui/page";

type Props = { detail: TransactionDetail; qrPath: string; qrSize: number; onEnd: () => void };

/** The code to scan or copy. On a phone the copy button comes first, because a phone cannot scan its own screen. */
export function OpenDeposit({ detail, qrPath, qrSize, onEnd }: Props) {
  const { money } = useNumbers();
  const t = useTranslations("deposits");
  const { transaction, payment, expires_at, allowed_actions } = detail;
  const simulate = useSimulation(transaction.reference_id);
  const code = payment.pix?.code ?? "";
  return (
    <div className="grid gap-8 md:grid-cols-[auto_minmax(0,1fr)] md:gap-12">
      <div className="max-md:order-last">
        <div className="w-fit rounded-card border bg-white p-5 max-sm:mx-auto">
          <svg
            role="img"
            aria-label={t("qrLabel", { amount: money(cents(transaction.amount)) })}
            viewBox={`0 0 ${qrSize} ${qrSize}`}
            className="size-60"
            shapeRendering="crispEdges"
          >
            <path d={qrPath} fill="#000" />
          </svg>
        </div>
      </div>
      <div className="grid max-w-[480px] content-start gap-6">
        <Figure
          label={transaction.description ?? t("noDescription")}
          note={expires_at && <Countdown expiresAt={expires_at} onEnd={onEnd} />}
        >
          <Money cents={cents(transaction.amount)} />
        </Figure>
        <div className="grid gap-2">
          <CopyButton text={code} label={t("copyCode")} look="primary" size="large" className="max-sm:w-full" />
          <p className="break-all font-mono text-caption text-muted max-sm:line-clamp-2">{code}</p>
        </div>
        <p className="flex items-center gap-2.5 text-muted">
          <span aria-hidden="true" className="size-2 rounded-full bg-info motion-safe:animate-pulse" />
          {t("waiting")}
        </p>
        <div className="flex flex-wrap gap-2 border-t pt-4">
          {allowed_actions.includes("simulate_payment") && (
            <Button busy={simulate.isPending} onClick={() => simulate.mutate("pay")}>
              {t(simulate.isPaying ? "simulating" : "simulatePayment")}
            </Button>
          )}
          <p role="status" className="sr-only">
            {simulate.isPaying && t("simulating")}
          </p>
          <ButtonLink look="quiet" href={`/transactions/${transaction.reference_id}`}>
            {t("details")}
          </ButtonLink>
        </div>
      </div>
    </div>
  );
}
