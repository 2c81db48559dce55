"use client";
import { useTranslations } from "use-intl";
import { brandName } from "@/components/cards/brand-name";

/** "Visa final 1111". */
export function useCardName() {
  const t = useTranslations("card");
  return ({ brand, last4 }: { brand: string; last4: string }) => t("name", { brand: brandName(brand), last4 });
}
