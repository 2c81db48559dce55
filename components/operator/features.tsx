"use client";
import { useTranslations } from "use-intl";
import type { SellerAccount } from "@/components/operator/queries";
import { CheckOption } from "@/components/ui/form";

type Feature = SellerAccount["features"][number];

/**
 * Every feature, in the order of the page; the type demands all. The schema's own list would load zod with the page.
 */
export const allFeatures = Object.keys({ cards: 1, refunds: 1, recurring: 1, cash_out: 1 } satisfies Record<
  Feature,
  1
>) as Feature[];

type ChoiceProps = { form: { register: (name: "features") => object } };

/** A box for each feature. */
export function FeatureChoice({ form }: ChoiceProps) {
  const t = useTranslations("operator");
  return (
    <fieldset className="grid w-full gap-3">
      <legend className="mb-3 font-semibold">{t("besidesPix")}</legend>
      {allFeatures.map((name) => (
        <CheckOption
          key={name}
          value={name}
          label={t(`featureNames.${name}`)}
          help={t(`featureHelp.${name}`)}
          {...form.register("features")}
        />
      ))}
    </fieldset>
  );
}
