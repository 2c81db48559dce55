"use client";
import { useTranslations } from "use-intl";
import { cents } from "@/components/format";
import { sharesOf } from "@/lib/money";
import type { Invite } from "@/lib/subscription-splits/schema";

/** What the recipient gets of a charge from which the seller pays no fee, in cents. */
export const shareOf = ({ percentage, plan }: Invite): number =>
  sharesOf(cents(plan.amount), [cents(percentage)])[0] ?? 0;

/** A plan's name, with its product's where it has one. */
export function usePlanName() {
  const t = useTranslations("splits");
  return ({ name, product }: { name: string; product: string | null }) =>
    product ? t("ofPlan", { plan: name, product }) : name;
}
