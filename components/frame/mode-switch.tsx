"use client";
import { clsx } from "clsx";
import { Check } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/account";

/**
 * Links to the same page in the account's other mode. They load a new document, so nothing that one mode
 * had in memory is shown in the other, and no other tab is touched.
 */
export function ModeSwitch() {
  const t = useTranslations("mode");
  const { account, modes } = useSession();
  const page = pageOfAnyAccount(usePathname());
  return (
    <nav aria-label={t("legend")} className="grid gap-1">
      <p aria-hidden="true" className="mb-1.5 px-2 text-caption text-muted">
        {t("legend")}
      </p>
      {(["live", "sandbox"] as const).map((mode) => (
        <a
          key={mode}
          href={mode === account.mode ? undefined : `/${modes[mode]}${page}`}
          aria-current={mode === account.mode ? "true" : undefined}
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
        </a>
      ))}
    </nav>
  );
}

/** The open page as every account has it. A record belongs to one account, so its page becomes the list. */
function pageOfAnyAccount(path: string): string {
  const [, , section = "home", id] = path.split("/");
  if (section === "invite") return `/invite/${id}`; // it may be one for the other mode
  if (section === "charges") return id === "new" ? "/charges/new" : "/transactions";
  if (section === "clock") return "/home"; // only a sandbox has one
  return `/${section}`;
}
