"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApiForm } from "@/components/api-form";
import { useStaffMay } from "@/components/operator/person";
import { chooseRail, SELLERS, type SellerDetail, type SellerMeta } from "@/components/operator/queries";
import { Button } from "@/components/ui/button";
import { RadioField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { Section } from "@/components/ui/page";
import { PageLink } from "@/components/ui/page-link";

type Props = { seller: SellerDetail; meta: SellerMeta };

/** From which PSP a seller's Pix comes; nothing where none is connected. */
export function SellerRail({ seller, meta: { pix_providers: providers } }: Props) {
  const t = useTranslations("accountRail");
  const mayWrite = useStaffMay("providers:write");
  const [choosing, setChoosing] = useState(false);
  const { pix_provider: own } = seller;
  const used = providers.find(({ name, is_default }) => (own === null ? is_default : name === own));
  if (providers.length === 0) return null;
  return (
    <Section title={t("title")} aside={mayWrite && <Button onClick={() => setChoosing(true)}>{t("choose")}</Button>}>
      <p>
        {used && (
          <PageLink href={`/operator/providers/${used.name}`} className="underline underline-offset-4">
            {used.title}
          </PageLink>
        )}{" "}
        <span className="text-muted">{t(own === null ? (used ? "byDefault" : "none") : "own")}</span>
      </p>
      {choosing && <ChooseRail seller={seller} providers={providers} onClose={() => setChoosing(false)} />}
    </Section>
  );
}

/** The value of a choice that is no PSP: names have no capitals. */
const DEFAULT = "DEFAULT";

type ChooseProps = { seller: SellerDetail; providers: SellerMeta["pix_providers"]; onClose: () => void };

function ChooseRail({ seller, providers, onClose }: ChooseProps) {
  const t = useTranslations("accountRail");
  const form = useApiForm({
    schema: () => import("@/lib/accounts/schema").then(({ AccountRail }) => AccountRail),
    defaultValues: { provider: seller.pix_provider ?? DEFAULT },
    body: ({ provider }) => ({ provider: provider === DEFAULT ? null : provider }),
    send: (rail) => chooseRail(seller.id, rail),
    refresh: SELLERS,
    done: t("chosen"),
    onSuccess: onClose,
    fieldOf: { provider_not_found: "provider" },
  });
  const title = providers.find(({ is_default }) => is_default)?.title;
  return (
    <FormDialog
      form={form}
      title={t("chooseOf", { name: seller.name })}
      description={t("help")}
      action={t("save")}
      onClose={onClose}
    >
      <RadioField
        form={form}
        name="provider"
        label={t("title")}
        options={[
          [DEFAULT, title === undefined ? t("default") : t("defaultNow", { title })],
          ...providers.map(({ name, title }) => [name, title] as const),
        ]}
      />
    </FormDialog>
  );
}
