"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { CopyButton } from "@/components/ui/copy";
import { Section } from "@/components/ui/page";
import { Time } from "@/components/ui/time";

/** The key. A new key replaces it at once, so a dialog asks first. */
export function Key({ value, madeAt }: { value: string; madeAt: string }) {
  const t = useTranslations("publicKey");
  const api = useApi();
  const mayWrite = useMay("cards:write");
  return (
    <Section
      title={t("key")}
      aside={
        mayWrite && (
          <ConfirmButton
            look="quiet"
            size="small"
            className="-mr-2.5"
            title={t("regenerateTitle")}
            help={t("regenerateHelp")}
            action={t("regenerate")}
            act={() => api.post("/api/partner/v1/public-key/regenerate")}
            done={t("regenerated")}
            refresh={[api.account, "public-key"]}
          >
            {t("regenerate")}
          </ConfirmButton>
        )
      }
    >
      <div className="flex items-center gap-2 rounded-control border bg-surface py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 break-all font-mono">{value}</code>
        <CopyButton text={value} aria-label={t("copyKey")} />
      </div>
      <p className="mt-2 text-caption text-muted">
        {t("made")} <Time at={madeAt} real />. {t("keyHelp")}
      </p>
    </Section>
  );
}
