"use client";
import { useTranslations } from "use-intl";
import { Status, type Tone } from "@/components/ui/status";
import type { Plan } from "@/lib/plans/schema";

const tones: Record<Plan["status"], Tone> = { active: "good", inactive: "warn", archived: "muted" };

/** Whether a product or a plan is sold, as a dot and a word. */
export function StatusWord({ status }: Pick<Plan, "status">) {
  const t = useTranslations("products");
  return <Status tone={tones[status]}>{t(`status.${status}`)}</Status>;
}
