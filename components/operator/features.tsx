"use client";
import { useTranslations } from "use-intl";
import { useApiForm } from "@/components/api-form";
import { changeSeller, SELLERS, type SellerAccount } from "@/components/operator/queries";
import { Form, Submit } from "@/components/ui/form";
import { Section } from "@/components/ui/page";

type Feature = SellerAccount["features"][number];

/**
 * Every feature, in the order of the page; the type demands all. The schema's own list would load zod with the page.
 */
export const allFeatures = Object.keys({ cards: 1, refunds: 1, recurring: 1, cash_out: 1 } satisfies Record<
  Feature,
  1
>) as Feature[];

/** The features of a seller besides Pix. */
export function SellerFeatures({ seller }: { seller: SellerAccount }) {
  const t = useTranslations("operator");
  const form = useApiForm({
    schema: () => import("@/lib/accounts/schema").then(({ AccountChange }) => AccountChange),
    defaultValues: { features: allFeatures.filter((name) => seller.features.includes(name)) },
    body: ({ features }) => ({ features: allFeatures.filter((name) => features.includes(name)) }),
    send: (body) => changeSeller(seller.id, body),
    refresh: SELLERS,
    done: t("featuresSaved"),
  });
  const chosen = form.watch("features");
  const isChanged = allFeatures.some((name) => chosen.includes(name) !== seller.features.includes(name));
  return (
    <Section title={t("columns.features")}>
      <Form form={form} className="max-w-[560px] !gap-4">
        <FeatureChoice form={form} />
        <Submit form={form} look="secondary" disabled={!isChanged}>
          {t("saveFeatures")}
        </Submit>
      </Form>
    </Section>
  );
}

type ChoiceProps = { form: { register: (name: "features") => object } };

/** A box for each feature. */
export function FeatureChoice({ form }: ChoiceProps) {
  const t = useTranslations("operator");
  return (
    <fieldset className="grid w-full gap-3">
      <legend className="sr-only">{t("columns.features")}</legend>
      {allFeatures.map((name) => (
        <label key={name} className="flex items-start gap-3">
          <input type="checkbox" value={name} className="mt-1 size-4 accent-accent" {...form.register("features")} />
          <span className="grid">
            <span className="font-medium">{t(`featureNames.${name}`)}</span>
            <span className="text-caption text-muted">{t(`featureHelp.${name}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
