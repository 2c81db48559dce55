"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code";
import { CopyButton } from "@/components/ui/copy";
import { Section } from "@/components/ui/page";
import { SecretsDialog } from "@/components/ui/secret";
import { Failure } from "@/components/ui/state";
import { type ReturnSecret as Answer, verifying } from "@/lib/way-back/schema";

/** How a shop verifies who comes back from a payment: the secret on demand, and ten lines that use it. */
export function ReturnSecret() {
  const t = useTranslations("wayBack");
  const api = useApi();
  const [secret, setSecret] = useState<string>();
  const [failure, setFailure] = useState<Error>();
  const show = () =>
    api.get<Answer>("/api/partner/v1/public-key/return-secret").then(({ data }) => setSecret(data.secret), setFailure);
  return (
    <Section
      title={t("title")}
      aside={
        <Button look="quiet" size="small" className="-mr-2.5" onClick={show}>
          {t("show")}
        </Button>
      }
    >
      <p className="mb-3 max-w-[72ch] text-muted">{t("help")}</p>
      {failure !== undefined && <Failure error={failure} />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {(["typescript", "curl"] as const).map((language) => (
          <div key={language} className="grid grid-cols-[minmax(0,1fr)] gap-1">
            <div className="flex items-center justify-between gap-2">
              <h3 className="font-medium">{t(language)}</h3>
              <CopyButton text={verifying[language]} label={t("copy", { language: t(language) })} className="-mr-2.5" />
            </div>
            <CodeBlock>{verifying[language]}</CodeBlock>
          </div>
        ))}
      </div>
      {secret !== undefined && (
        <SecretsDialog
          title={t("title")}
          once={t("careful")}
          rows={[[t("secret"), secret]]}
          kept={t("close")}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Section>
  );
}
