"use client";
import { clsx } from "clsx";
import { Check } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { api } from "@/components/api";
import { useErrorText } from "@/components/error-text";
import { useSession } from "@/components/frame/account";
import { toast } from "@/components/ui/toast";

const modes = ["live", "sandbox"] as const;

/** The account's two worlds. Switching reloads the page, so nothing of one is ever shown in the other. */
export function ModeSwitch() {
  const t = useTranslations("mode");
  const { account } = useSession();
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  async function choose(mode: (typeof modes)[number]) {
    if (mode === account.mode) return;
    setBusy(true);
    try {
      await api.patch("/api/partner/v1/session", { mode });
      window.location.assign("/home");
    } catch (error) {
      setBusy(false);
      toast(errorText(error as Error), "bad");
    }
  }
  return (
    <fieldset className="grid gap-1" disabled={busy}>
      <legend className="mb-1.5 px-2 text-caption text-muted">{t("legend")}</legend>
      {modes.map((mode) => (
        <button
          key={mode}
          type="button"
          aria-pressed={mode === account.mode}
          onClick={() => choose(mode)}
          className="flex items-start gap-2.5 rounded-control px-2 py-1.5 text-left transition-colors hover:bg-line/50"
        >
          <Check aria-hidden="true" className={clsx("mt-0.5 size-4 shrink-0", mode !== account.mode && "invisible")} />
          <span className="grid">
            <span className="font-medium">{t(mode)}</span>
            <span className="text-caption text-muted">
              {mode === "live" && account.mode === "live" && account.status === "pending"
                ? t("pending")
                : t(`${mode}Help`)}
            </span>
          </span>
        </button>
      ))}
    </fieldset>
  );
}
