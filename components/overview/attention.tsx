"use client";
import { ArrowRight } from "lucide-react";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/account";
import { Unconfirmed } from "@/components/overview/unconfirmed";
import { AccountLink } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
import type { Overview } from "@/lib/dashboard/schema";

const WARN_PERCENT = 80;

/** The matters that wait for a person. It is not shown when there are none. */
export function Attention({ overview }: { overview: Overview }) {
  const t = useTranslations("home");
  const { account, user } = useSession();
  const { failing_webhooks, storage } = overview;
  const isPending = account.mode === "live" && account.status === "pending";
  return (
    <>
      {!user.isConfirmed && <Unconfirmed />}
      {isPending && <p className="border-info border-l-2 bg-surface px-4 py-3">{t("pending")}</p>}
      {failing_webhooks > 0 && <Failing count={failing_webhooks} />}
      {storage.percent >= WARN_PERCENT && <Room storage={storage} />}
    </>
  );
}

/** How much of its storage the account has used, and what to do. */
function Room({ storage: { percent, limit_mb, is_full } }: Pick<Overview, "storage">) {
  const t = useTranslations("home");
  const limit = `${String(limit_mb).replace(/\B(?=(\d{3})+$)/g, ".")} MB`;
  return (
    <div className="grid gap-1 rounded-card border bg-surface px-4 py-3">
      <Status tone={is_full ? "bad" : "warn"} className="!whitespace-normal">
        {is_full ? t("storageFull", { limit }) : t("storageNear", { percent: String(percent), limit })}
      </Status>
      <p className="text-caption text-muted">{t("storageHelp")}</p>
    </div>
  );
}

function Failing({ count }: { count: number }) {
  const t = useTranslations("home");
  return (
    <AccountLink
      href="/webhooks"
      className="group flex items-center justify-between gap-4 rounded-card border bg-surface px-4 py-3 transition-colors hover:border-muted"
    >
      <Status tone="bad" className="!whitespace-normal">
        {t("failingWebhooks", { count })}
      </Status>
      <span className="inline-flex shrink-0 items-center gap-1.5 font-medium text-accent">
        {t("see")}
        <ArrowRight aria-hidden="true" className="size-4 transition-transform group-hover:translate-x-0.5" />
      </span>
    </AccountLink>
  );
}
