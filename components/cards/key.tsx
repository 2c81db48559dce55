"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useErrorText } from "@/components/error-text";
import { useApi, useMay } from "@/components/frame/account";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Section } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";

const Confirm = lazyWindow(() => import("@/components/ui/confirm").then((module) => module.Confirm));

/** The key itself; a new one ends it at once, so that is asked for on purpose. */
export function Key({ value, madeAt }: { value: string; madeAt: string }) {
  const t = useTranslations("publicKey");
  const api = useApi();
  const client = useQueryClient();
  const errorText = useErrorText();
  const mayWrite = useMay("cards:write");
  const [asking, setAsking] = useState(false);
  const regenerate = useMutation({
    mutationFn: () => api.post("/api/partner/v1/public-key/regenerate"),
    onSuccess: () => toast(t("regenerated")),
    onError: (error) => toast(errorText(error), "bad"),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: [api.account, "public-key"] });
      setAsking(false);
    },
  });
  return (
    <Section
      title={t("key")}
      aside={
        mayWrite && (
          <Button size="small" look="quiet" className="-mr-2.5" onClick={() => setAsking(true)}>
            {t("regenerate")}
          </Button>
        )
      }
    >
      <div className="flex items-center gap-2 rounded-control border bg-surface py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 break-all font-mono">{value}</code>
        <CopyButton text={value} aria-label={t("copyKey")} />
      </div>
      <p className="mt-2 text-caption text-muted">
        {t("made")} <Time at={madeAt} />. {t("keyHelp")}
      </p>
      {asking && (
        <Confirm
          title={t("regenerateTitle")}
          action={t("regenerate")}
          busy={regenerate.isPending}
          onConfirm={() => regenerate.mutate()}
          onClose={() => setAsking(false)}
        >
          {t("regenerateHelp")}
        </Confirm>
      )}
    </Section>
  );
}
