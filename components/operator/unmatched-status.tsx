"use client";
import { useTranslations } from "use-intl";
import { Status, type Tone } from "@/components/ui/status";
import type { Unmatched } from "@/lib/unmatched/schema";

const tones: Record<Unmatched["status"], Tone> = {
  open: "warn",
  returning: "info",
  returned: "good",
  matched: "good",
  credited: "good",
  transferred: "good",
};

export function UnmatchedStatusWord({ status }: Pick<Unmatched, "status">) {
  const t = useTranslations("unmatched");
  return <Status tone={tones[status]}>{t(`status.${status}`)}</Status>;
}

/** Why money belonged to no open sale, in words; a reason of a later version has none of its own. */
export function useReasonWords() {
  const t = useTranslations("unmatched.reasons");
  return (reason: string) => t(t.has(reason as "already_paid") ? (reason as "already_paid") : "other");
}
