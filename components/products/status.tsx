"use client";
import { useTranslations } from "use-intl";
import { StatusWord } from "@/components/plans/status";
import { Status } from "@/components/ui/status";
import type { Product } from "@/lib/products/schema";

/** Whether a product is sold: one that neither a plan nor a link sells cannot be bought, though it may be. */
export function ProductStatusWord({ status, is_sold }: Pick<Product, "status" | "is_sold">) {
  const t = useTranslations("products.status");
  if (status === "active" && !is_sold) return <Status tone="warn">{t("unsold")}</Status>;
  return <StatusWord status={status} />;
}
