"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { approvalsQuery } from "@/components/approvals/query";
import { useAsked } from "@/components/approvals/words";
import { FieldsSkeleton } from "@/components/settings/skeleton";
import { SettingsHead } from "@/components/settings/tabs";
import { ScopeList } from "@/components/team/scope-list";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { AccountLink } from "@/components/ui/link";
import { Loaded } from "@/components/ui/loaded";
import { Section } from "@/components/ui/page";
import { Status, type Tone } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { Approval } from "@/lib/approvals/schema";

/** What waits for a second person, and what was decided lately. */
export function ApprovalsPage() {
  const t = useTranslations("approvals");
  const result = useQuery(approvalsQuery(useApi().account));
  return (
    <>
      <SettingsHead />
      <p className="-mt-2 mb-6 max-w-[64ch] text-muted">{t("purpose")}</p>
      <Loaded result={result} skeleton={<FieldsSkeleton />}>
        {({ data }) => <Known approvals={data} />}
      </Loaded>
    </>
  );
}

function Known({ approvals }: { approvals: readonly Approval[] }) {
  const t = useTranslations("approvals");
  const waiting = approvals.filter(({ status }) => status === "pending");
  const decided = approvals.filter(({ status }) => status !== "pending");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <Section title={t("waiting")} className="!border-t-0 !pt-0">
        {waiting.length === 0 && <p className="text-muted">{t("none")}</p>}
        <ul>
          {waiting.map((approval) => (
            <Waiting key={approval.id} approval={approval} />
          ))}
        </ul>
      </Section>
      <Section title={t("decided")}>
        {decided.length === 0 && <p className="text-muted">{t("noneDecided")}</p>}
        <ul>
          {decided.map((approval) => (
            <Decided key={approval.id} approval={approval} />
          ))}
        </ul>
      </Section>
    </div>
  );
}

function Waiting({ approval }: { approval: Approval }) {
  const t = useTranslations("approvals");
  const { title, effect, scopes, sale, reason, end } = useAsked(approval);
  const api = useApi();
  const { id, asked_by, created_at, lapses_at, may_decide } = approval;
  const path = `/api/dashboard/v1/approvals/${id}` as const;
  const common = { refresh: [api.account] };
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-3 border-t py-4 first:border-t-0 md:grid-cols-[minmax(0,1fr)_auto] md:items-start">
      <div className="grid min-w-0 gap-1.5">
        <h3 className="wrap-anywhere font-semibold">{title}</h3>
        {reason && (
          <p className="wrap-anywhere">
            <span className="text-muted">{t("reason")}:</span> {reason}
          </p>
        )}
        {end && <p>{t(`effects.${end}`)}</p>}
        {scopes && <ScopeList of={scopes} />}
        {sale && (
          <p>
            <AccountLink
              href={`/transactions/${sale}`}
              className="font-medium text-accent underline underline-offset-4"
            >
              {t("refundSale")}
            </AccountLink>
          </p>
        )}
        <p className="wrap-anywhere text-caption text-muted">
          {t("by", { name: asked_by.name })} <Time at={created_at} real /> · {t("lapses")}{" "}
          <Time at={lapses_at} absolute />
        </p>
      </div>
      {may_decide ? (
        <div className="flex flex-wrap gap-2">
          <ConfirmButton
            title={t("approveTitle")}
            help={
              <>
                <p className="mb-2 font-medium text-ink">{title}</p>
                <p>{effect}</p>
              </>
            }
            action={t("approveNow")}
            actionLook="primary"
            act={() => api.post(`${path}/approve`)}
            done={t("approved")}
            {...common}
          >
            {t("approve")}
          </ConfirmButton>
          <ConfirmButton
            look="quiet"
            title={t("rejectTitle")}
            help={t("rejectHelp")}
            action={t("rejectNow")}
            act={() => api.post(`${path}/reject`)}
            done={t("rejected")}
            {...common}
          >
            {t("reject")}
          </ConfirmButton>
        </div>
      ) : (
        <NotMine approval={approval} />
      )}
    </li>
  );
}

function NotMine({ approval }: { approval: Approval }) {
  const t = useTranslations("approvals");
  return <p className="max-w-[30ch] text-caption text-muted">{t(approval.is_mine ? "own" : "notYours")}</p>;
}

const tones: Record<Approval["status"], Tone> = { pending: "warn", approved: "good", rejected: "bad", lapsed: "muted" };

function Decided({ approval }: { approval: Approval }) {
  const t = useTranslations("approvals");
  const { title } = useAsked(approval);
  const { status, asked_by, decided_by, decided_at } = approval;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-1 border-t py-3 first:border-t-0 md:grid-cols-[minmax(0,1fr)_auto] md:items-center">
      <div className="grid min-w-0">
        <p className="wrap-anywhere">{title}</p>
        <p className="wrap-anywhere text-caption text-muted">{t("by", { name: asked_by.name })}</p>
      </div>
      <p className="flex flex-wrap items-center gap-x-2 text-caption text-muted">
        <Status tone={tones[status]} className="text-ink">
          {t(`status.${status}`)}
        </Status>
        {decided_by && t("decidedBy", { name: decided_by.name })} {decided_at && <Time at={decided_at} real />}
      </p>
    </li>
  );
}
