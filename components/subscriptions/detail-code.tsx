"use client";
import { useTranslations } from "use-intl";
import { cents, useDates, useNumbers } from "@/components/format";
import type { Charge } from "@/components/subscriptions/detail-queries";
import { CopyButton } from "@/components/ui/copy";
import { Section } from "@/components/ui/page";

type Coded = { charge: Charge; code: string };

/** The code by which the open charge can be paid. */
export function OpenCode({ charge, code }: Coded) {
  const { money } = useNumbers();
  const t = useTranslations("subscriptions.detail.code");
  const { until } = useDates();
  return (
    <Section title={t("open")} aside={<CopyButton text={code} label={t("copy")} />}>
      <p>{t("pays", { amount: money(cents(charge.amount)), time: until(charge.expires_at) })}</p>
      <p className="mt-1 line-clamp-2 break-all font-mono text-caption text-muted">{code}</p>
    </Section>
  );
}

/** A code that was just made, to scan or to copy. */
export function NewCode({ charge, code }: Coded) {
  const { money } = useNumbers();
  const t = useTranslations("subscriptions.detail.code");
  const { until } = useDates();
  const amount = money(cents(charge.amount));
  return (
    <div className="grid gap-5">
      <p role="status">{t("pays", { amount, time: until(charge.expires_at) })}</p>
      {charge.payment.qr_code && (
        <div className="w-fit rounded-card border bg-white p-2 max-sm:order-last max-sm:mx-auto">
          {/* biome-ignore lint/performance/noImgElement: the picture is in the answer itself */}
          <img src={charge.payment.qr_code} alt={t("qr", { amount })} className="size-56 [image-rendering:pixelated]" />
        </div>
      )}
      <div className="grid gap-2">
        <CopyButton text={code} label={t("copy")} look="primary" size="large" className="max-sm:w-full" />
        <p className="line-clamp-2 break-all font-mono text-caption text-muted">{code}</p>
      </div>
    </div>
  );
}
