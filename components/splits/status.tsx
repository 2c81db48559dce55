"use client";
import { useTranslations } from "use-intl";
import { Status, type Tone } from "@/components/ui/status";
import type { Invite } from "@/lib/subscription-splits/schema";

const tones: Record<Invite["status"], Tone> = {
  pending: "info",
  accepted: "good",
  rejected: "bad",
  cancelled: "muted",
};

/** A split's status as a dot and a word. */
export function SplitStatusWord({ status }: Pick<Invite, "status">) {
  const t = useTranslations("splits.status");
  return <Status tone={tones[status]}>{t(status)}</Status>;
}
