"use client";
import { Hourglass } from "lucide-react";
import { useTranslations } from "use-intl";
import { useMay, useSession } from "@/components/account";
import { useDates } from "@/components/format";
import { AccountLink } from "@/components/ui/link";

/** The band of an account that may not sell: why, since when, and what can be done meanwhile. */
export function ReviewBand() {
  const t = useTranslations("mode");
  const { full } = useDates();
  const { account, modes } = useSession();
  const mayWrite = useMay("account:write");
  const [isPending, since] = [account.status === "pending", account.reviewAskedAt];
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-info/40 border-b bg-info/10 px-6 py-2 text-caption text-info max-sm:px-4">
      <p className="flex items-start gap-2 font-medium">
        <Hourglass aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {isPending
          ? since
            ? t("underReview", { time: full(since) })
            : t("notApproved")
          : t(account.status === "closed" ? "closed" : "suspended")}
      </p>
      {isPending && !since && mayWrite && (
        <AccountLink href="/settings/documents" className="font-medium underline underline-offset-4">
          {t("toDocuments")}
        </AccountLink>
      )}
      {account.mode === "live" && (
        <a href={`/${modes.sandbox}/home`} className="font-medium underline underline-offset-4">
          {t("toSandbox")}
        </a>
      )}
    </div>
  );
}
