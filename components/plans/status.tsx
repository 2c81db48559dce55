"use client";
import { useTranslations } from "use-intl";
import { Status, type Tone } from "@/components/ui/status";
import type { Plan } from "@/lib/plans/schema";

const tones: Record<Plan["status"], Tone> = { active: "good", inactive: "warn", archived: "muted" };

/** A plan's status as a dot and a word. */
export function PlanStatusWord({ status }: Pick<Plan, "status">) {
  const t = useTranslations("plans");
  return <Status tone={tones[status]}>{t(`status.${status}`)}</Status>;
}
