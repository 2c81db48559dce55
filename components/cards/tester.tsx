"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { Button } from "@/components/ui/button";
import { Form, Submit, TextField } from "@/components/ui/form";
import { Section } from "@/components/ui/page";
import { Status } from "@/components/ui/status";
import type { DomainTest } from "@/lib/public-keys/schema";

/** Answers whether a page of an origin may use the key and, unlike the public route, why not. */
export function OriginTester({ onAdd }: { onAdd?: (origin: string) => void }) {
  const t = useTranslations("originTester");
  const api = useApi();
  const form = useApiForm({
    schema: () => import("@/lib/public-keys/schema").then(({ DomainTestBody }) => DomainTestBody),
    defaultValues: { origin: "" },
    async send({ origin }) {
      const { data } = await api.post<DomainTest>("/api/partner/v1/public-key/domains/test", { origin });
      return { ...data, origin: origin.trim() };
    },
  });
  const result = form.busy ? undefined : form.answer;
  return (
    <Section title={t("title")}>
      <Form form={form} className="!gap-3">
        <TextField
          form={form}
          name="origin"
          label={t("origin")}
          help={t("help")}
          maxLength={2048}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="https://"
        />
        <Submit form={form} look="secondary">
          {t("test")}
        </Submit>
      </Form>
      <div role="status">
        {result && (
          <div className="mt-4 grid justify-items-start gap-1">
            <p className="break-all text-caption text-muted">{result.origin}</p>
            <Status tone={result.accepted ? "good" : "bad"} className="font-medium">
              {t(result.accepted ? "accepted" : "refused")}
            </Status>
            <p>{result.meant ? t("meant", { origin: result.meant }) : t(`reasons.${result.reason}`)}</p>
            {onAdd && ["not_listed", "no_domain"].includes(result.reason) && (
              <Button size="small" className="mt-2" onClick={() => onAdd(result.origin)}>
                {t("add")}
              </Button>
            )}
          </div>
        )}
      </div>
    </Section>
  );
}
