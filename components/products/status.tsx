"use client";
import { useTranslations } from "use-intl";
import { Status, type Tone } from "@/components/ui/status";
import type { Product } from "@/lib/products/schema";

const tones: Record<Product["status"], Tone> = { active: "good", inactive: "warn", archived: "muted" };

/** A product's status as a dot and a word. */
export function ProductStatusWord({ status }: Pick<Product, "status">) {
  const t = useTranslations("products");
  return <Status tone={tones[status]}>{t(`status.${status}`)}</Status>;
}
