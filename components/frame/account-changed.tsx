"use client";
import { useTranslations } from "use-intl";
import { Confirm } from "@/components/ui/confirm";

type Props = { shows: string; onClose: () => void };

/** Shown when the account of an open page is not the visitor's now. What was typed stays until the person reloads. */
export function AccountChanged({ shows, onClose }: Props) {
  const t = useTranslations("interrupted.accountChanged");
  return (
    <Confirm
      title={t("title")}
      action={t("action")}
      cancel={t("cancel")}
      look="primary"
      onConfirm={() => window.location.reload()}
      onClose={onClose}
    >
      {t("text", { account: shows })}
    </Confirm>
  );
}
