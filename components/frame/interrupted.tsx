"use client";
import { useTranslations } from "use-intl";
import { Confirm } from "@/components/ui/confirm";

/** Why a page that stays open can do nothing more: its account is not the visitor's now, or nobody is signed in. */
export type Interruption = "accountChanged" | "sessionEnded";

const ways: Record<Interruption, () => void> = {
  accountChanged: () => window.location.reload(),
  sessionEnded: () => window.open("/sign-in", "_blank", "noopener"),
};

type Props = { by: Interruption; shows: string; onClose: () => void };

/** Says what happened and offers the way on. What was typed stays in the page below until the person chooses. */
export function Interrupted({ by, shows, onClose }: Props) {
  const t = useTranslations(`interrupted.${by}`);
  return (
    <Confirm
      title={t("title")}
      action={t("action")}
      cancel={t("cancel")}
      look="primary"
      onConfirm={() => {
        ways[by]();
        onClose();
      }}
      onClose={onClose}
    >
      {t("text", { account: shows })}
    </Confirm>
  );
}
