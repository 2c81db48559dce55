"use client";
import { ArrowRight } from "lucide-react";
import { useTranslations } from "use-intl";
import { useMay, useSession } from "@/components/account";
import { Unconfirmed } from "@/components/overview/unconfirmed";
import type { AccountPath } from "@/components/paths";
import { useMaySeeRefunds } from "@/components/refunds/may-see";
import { AccountLink } from "@/components/ui/link";
import { Status, type Tone } from "@/components/ui/status";
import { useMaySeeWithdrawals } from "@/components/withdrawals/may-see";
import type { Overview } from "@/lib/dashboard/schema";

const WARN_PERCENT = 80;

/** The matters that wait for a person. It is not shown when there are none. */
export function Attention({ overview }: { overview: Overview }) {
  const t = useTranslations("home");
  const { user, account, features } = useSession();
  const maySeeRefunds = useMaySeeRefunds();
  const maySeeWithdrawals = useMaySeeWithdrawals("withdrawals:write");
  const { pending } = overview.refunds;
  const {
    onboarding,
    has_pix,
    failing_webhooks,
    failing_webhook,
    waiting_withdrawals,
    overdue_subscriptions: overdue,
    suspended_subscriptions: suspended,
    storage,
  } = overview;
  const { undefended } = overview.disputes;
  const maySeeDisputes = useMay("disputes:read");
  const mayWrite = useMay("account:write");
  const maySeeOverdue = useMay("subscriptions:read") && features.includes("recurring");
  return (
    <>
      {!user.isConfirmed && <Unconfirmed />}
      {onboarding && mayWrite && <Onboarding onboarding={onboarding} />}
      {account.status === "approved" && !has_pix && <NoPix />}
      {overdue > 0 && maySeeOverdue && (
        <Matter href="/subscriptions/overdue?status=overdue" tone="warn">
          {t("overdueSubscriptions", { count: overdue })}
        </Matter>
      )}
      {suspended > 0 && maySeeOverdue && (
        <Matter href="/subscriptions/overdue?status=suspended" tone="bad">
          {t("suspendedSubscriptions", { count: suspended })}
        </Matter>
      )}
      {undefended > 0 && maySeeDisputes && (
        <Matter href="/disputes?status=open" tone="bad">
          {t("undefendedDisputes", { count: undefended })}
        </Matter>
      )}
      {pending > 0 && maySeeRefunds && (
        <Matter href="/refunds?status=pending" tone="info">
          {t("pendingRefunds", { count: pending })}
        </Matter>
      )}
      {waiting_withdrawals > 0 && maySeeWithdrawals && (
        <Matter href="/withdrawals?status=awaiting_approval" tone="warn">
          {t("waitingWithdrawals", { count: waiting_withdrawals })}
        </Matter>
      )}
      {failing_webhooks > 0 && (
        <Matter href={failing_webhook === null ? "/webhooks" : `/webhooks/${failing_webhook}`} tone="bad">
          {t("failingWebhooks", { count: failing_webhooks })}
        </Matter>
      )}
      {storage.percent >= WARN_PERCENT && <Room storage={storage} />}
    </>
  );
}

/** How far the account is on its way to its approval. */
function Onboarding({ onboarding }: { onboarding: NonNullable<Overview["onboarding"]> }) {
  const t = useTranslations("home");
  const { missing, review_asked_at } = onboarding;
  return (
    <Matter href="/settings/documents" tone={review_asked_at ? "info" : "warn"}>
      {review_asked_at ? t("reviewAsked") : t("onboarding", { count: missing.length })}
    </Matter>
  );
}

/** That Pix charges are refused, until the operator has connected a provider. */
function NoPix() {
  const t = useTranslations("home");
  return (
    <div className="grid gap-1 rounded-card border bg-surface px-4 py-3">
      <Status tone="warn" className="!whitespace-normal">
        {t("noPix")}
      </Status>
      <p className="text-caption text-muted">{t("noPixHelp")}</p>
    </div>
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

type MatterProps = { href: AccountPath; tone: Tone; children: string };

/** A matter that a page of its own lists. */
export function Matter({ href, tone, children }: MatterProps) {
  const t = useTranslations("home");
  return (
    <AccountLink
      href={href}
      className="group flex items-center justify-between gap-4 rounded-card border bg-surface px-4 py-3 transition-colors hover:border-muted"
    >
      <Status tone={tone} className="!whitespace-normal">
        {children}
      </Status>
      <span className="inline-flex shrink-0 items-center gap-1.5 font-medium text-accent">
        {t("see")}
        <ArrowRight aria-hidden="true" className="size-4 transition-transform group-hover:translate-x-0.5" />
      </span>
    </AccountLink>
  );
}
