"use client";
import { useSearchParams } from "next/navigation";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useSession } from "@/components/account";
import { documentNumber, useDates } from "@/components/format";
import { settingsOf } from "@/components/settings/queries";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Facts, Section } from "@/components/ui/page";
import { Status, type Tone } from "@/components/ui/status";
import type { OwnAccount } from "@/lib/profile/schema";
import type { ProfileRequest } from "@/lib/profile-requests/schema";

const AskChange = lazyWindow(() => import("@/components/settings/ask-change").then((module) => module.AskChange));

/** What the operator reviews of the account, and the request of a change. */
export function Identity({ account, mayWrite }: { account: OwnAccount; mayWrite: boolean }) {
  const t = useTranslations("settings.identity");
  const words = useTranslations("settings");
  const { modes } = useSession();
  const { name, document, email, legal_representative: person, request, mode } = account;
  const isLive = mode === "live";
  const mayAsk = isLive && mayWrite && request?.status !== "pending";
  const isLinked = useSearchParams().get("ask") === "representative";
  const [asking, setAsking] = useState<"all" | "representative" | null>(
    isLinked && mayAsk && !person ? "representative" : null,
  );
  return (
    <Section title={t("title")}>
      <Facts
        rows={[
          [t("name"), name],
          [t("document"), documentNumber(document)],
          [t("email"), email],
          isLive && [t("representative"), person ? representativeIn(person) : words("none")],
        ]}
      />
      <p className="mt-4 text-caption text-muted">{isLive ? t("help") : t("onlyLive")}</p>
      {!isLive && (
        <a
          href={`/${modes.live}/settings`}
          className="mt-2 inline-block font-medium text-accent underline underline-offset-4"
        >
          {t("toLive")}
        </a>
      )}
      {request && request.status !== "cancelled" && <Request request={request} mayWrite={mayWrite} />}
      {mayAsk && (
        <div className="mt-4 flex flex-wrap gap-2">
          {!person && (
            <Button size="small" onClick={() => setAsking("representative")}>
              {t("nameRepresentative")}
            </Button>
          )}
          <Button size="small" onClick={() => setAsking("all")}>
            {t("ask")}
          </Button>
        </div>
      )}
      {asking && <AskChange account={account} of={asking} onClose={() => setAsking(null)} />}
    </Section>
  );
}

/** A person by name and document, as far as both are known. */
const representativeIn = ({ name, document }: Record<string, unknown>) =>
  [name, typeof document === "string" ? documentNumber(document) : null].filter(Boolean).join(" · ");

const tones = { pending: "info", approved: "good", rejected: "bad", cancelled: "muted" } as const satisfies Record<
  ProfileRequest["status"],
  Tone
>;

/** The newest request of a change, with what was decided. */
function Request({ request, mayWrite }: { request: ProfileRequest; mayWrite: boolean }) {
  const t = useTranslations("settings.request");
  const words = useTranslations("settings.identity");
  const { full } = useDates();
  const api = useApi();
  const { id, status, name, document, legal_representative: person, reason, created_at } = request;
  return (
    <div className="mt-4 grid gap-3 rounded-card border bg-surface px-4 py-3">
      <Status tone={tones[status]}>{t(status)}</Status>
      <Facts
        rows={[
          name !== null && [words("name"), name],
          document !== null && [words("document"), documentNumber(document)],
          person && [words("representative"), representativeIn(person)],
          reason !== null && [t("reason"), reason],
        ]}
      />
      <p className="text-caption text-muted">{t("asked", { time: full(created_at) })}</p>
      {status === "pending" && mayWrite && (
        <ConfirmButton
          size="small"
          look="quiet"
          className="justify-self-start"
          title={t("cancelTitle")}
          help={t("cancelHelp")}
          action={t("cancel")}
          act={() => api.post(`/api/dashboard/v1/account/requests/${id}/cancel`)}
          done={t("cancelDone")}
          refresh={settingsOf(api.account)}
        >
          {t("cancel")}
        </ConfirmButton>
      )}
    </div>
  );
}
