"use client";
import { ArrowRight } from "lucide-react";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/frame/account";
import { AccountLink } from "@/components/frame/link";
import { Status } from "@/components/ui/status";

/** What waits for a person; nothing at all when nothing does. */
export function Attention({ failingWebhooks }: { failingWebhooks: number }) {
  const t = useTranslations("home");
  const { account } = useSession();
  const isPending = account.mode === "live" && account.status === "pending";
  return (
    <>
      {isPending && <p className="border-info border-l-2 bg-surface px-4 py-3">{t("pending")}</p>}
      {failingWebhooks > 0 && <Failing count={failingWebhooks} />}
    </>
  );
}

function Failing({ count }: { count: number }) {
  const t = useTranslations("home");
  return (
    <AccountLink
      href="/webhooks"
      className="group flex items-center justify-between gap-4 rounded-card border bg-surface px-4 py-3 transition-colors hover:border-muted"
    >
      <Status tone="bad" className="whitespace-normal">
        {t("failingWebhooks", { count })}
      </Status>
      <span className="inline-flex shrink-0 items-center gap-1.5 font-medium text-accent">
        {t("see")}
        <ArrowRight aria-hidden="true" className="size-4 transition-transform group-hover:translate-x-0.5" />
      </span>
    </AccountLink>
  );
}
