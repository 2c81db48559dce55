"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { apiOf } from "@/components/api";
import { Notice } from "@/components/auth/notice";
import { deviceOf } from "@/components/security/device";
import { securityQuery } from "@/components/security/query";
import { FieldsSkeleton } from "@/components/settings/skeleton";
import { Button } from "@/components/ui/button";
import { buttonLook } from "@/components/ui/button-look";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Loaded } from "@/components/ui/loaded";
import { Section } from "@/components/ui/page";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { Security as Read, RecoveryCodes, SignedIn } from "@/lib/users/schema";

const SetUp = lazyWindow(() => import("@/components/security/set-up").then((module) => module.SetUp));
const Codes = lazyWindow(() => import("@/components/security/codes").then((module) => module.Codes));
const ChangePassword = lazyWindow(() => import("@/components/security/password").then((m) => m.ChangePassword));

const api = apiOf(null);
const refresh = securityQuery.queryKey;

/** `proved` is whether the session of a person of the staff has proved the second factor; for sellers it is not needed. */
type Props = { staff?: { proved: boolean } };

/** How a person signs in: second factor, password, and the sessions that are open. */
export function Security({ staff }: Props) {
  const result = useQuery(securityQuery);
  return (
    <Loaded result={result} skeleton={<FieldsSkeleton />}>
      {(security) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
          {staff && !staff.proved && <Must isReady={security.second_factor !== null} />}
          <SecondFactor factor={security.second_factor} isStaff={staff !== undefined} />
          <Password />
          <Sessions sessions={security.sessions} />
        </div>
      )}
    </Loaded>
  );
}

/** Why a person of the staff sees no other page, and then the way to them. */
function Must({ isReady }: { isReady: boolean }) {
  const t = useTranslations("security");
  return (
    <Notice tone={isReady ? "accent" : "warn"}>
      {!isReady && <p className="font-semibold">{t("mustTitle")}</p>}
      <p>{t("must")}</p>
      {isReady && (
        // A new document, because the frame of this one was made for a session without the factor.
        <a href="/operator/accounts" className={buttonLook({ look: "primary", className: "justify-self-start" })}>
          {t("open")}
        </a>
      )}
    </Notice>
  );
}

function SecondFactor({ factor, isStaff }: { factor: Read["second_factor"]; isStaff: boolean }) {
  const t = useTranslations("security");
  const [isSettingUp, setSettingUp] = useState(false);
  const [codes, setCodes] = useState<string[] | null>(null);
  const renew = () => api.post<RecoveryCodes>("/api/dashboard/v1/security/recovery-codes");
  return (
    <Section title={t("factor")} className="!border-t-0 !pt-0">
      <div className="grid max-w-[64ch] gap-3">
        {factor ? (
          <>
            <p>
              <Status tone="good">
                {t("factorOn")} <Time at={factor.since} absolute />
              </Status>
            </p>
            <p className={factor.recovery_codes_left === 0 ? "text-warn" : "text-muted"}>
              {t("left", { count: factor.recovery_codes_left })}
            </p>
            <div className="flex flex-wrap gap-2">
              <ConfirmButton
                title={t("renewTitle")}
                help={t("renewHelp")}
                action={t("renewNow")}
                act={async () => setCodes((await renew()).recovery_codes)}
                done={t("renewed")}
                refresh={refresh}
              >
                {t("renew")}
              </ConfirmButton>
              <ConfirmButton
                look="quiet"
                title={t("removeTitle")}
                help={t(isStaff ? "removeStaffHelp" : "removeHelp")}
                action={t("removeNow")}
                act={() => api.delete("/api/dashboard/v1/security/second-factor")}
                done={t("removed")}
                refresh={refresh}
                {...(isStaff && { onDone: () => window.location.reload(), leaves: true })}
              >
                {t("removeFactor")}
              </ConfirmButton>
            </div>
          </>
        ) : (
          <>
            <Status tone="muted">{t("factorOff")}</Status>
            <p className="text-muted">{t("factorHelp")}</p>
            <Button look="primary" className="justify-self-start" onClick={() => setSettingUp(true)}>
              {t("setUp")}
            </Button>
          </>
        )}
      </div>
      {isSettingUp && <SetUp onCodes={setCodes} onClose={() => setSettingUp(false)} />}
      {codes && <Codes codes={codes} onClose={() => setCodes(null)} />}
    </Section>
  );
}

function Password() {
  const t = useTranslations("security");
  const [isChanging, setChanging] = useState(false);
  return (
    <Section title={t("password")}>
      <p className="mb-3 text-muted">{t("passwordHelp")}</p>
      <Button onClick={() => setChanging(true)}>{t("change")}</Button>
      {isChanging && <ChangePassword onClose={() => setChanging(false)} />}
    </Section>
  );
}

function Sessions({ sessions }: { sessions: readonly SignedIn[] }) {
  const t = useTranslations("security");
  return (
    <Section
      title={t("sessions")}
      aside={
        sessions.length > 1 && (
          <ConfirmButton
            size="small"
            title={t("endOthersTitle")}
            help={t("endOthersHelp")}
            action={t("endOthers")}
            act={() => api.delete("/api/dashboard/v1/security/sessions")}
            done={t("othersEnded")}
            refresh={refresh}
          >
            {t("endOthers")}
          </ConfirmButton>
        )
      }
    >
      <p className="mb-2 text-muted">{t("sessionsHelp")}</p>
      <ul>
        {sessions.map((session) => (
          <Session key={session.id} session={session} />
        ))}
      </ul>
    </Section>
  );
}

function Session({ session }: { session: SignedIn }) {
  const t = useTranslations("security");
  const { id, is_this, ip, user_agent, created_at, last_seen_at } = session;
  const { browser, system } = deviceOf(user_agent);
  const device = t("device", { browser: browser ?? t("unknownBrowser"), system: system ?? t("unknownSystem") });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-8 gap-y-2 border-t py-4">
      <div className="grid min-w-0 gap-0.5">
        <h3 className="font-semibold">
          {device}
          {is_this && <span className="ml-2 font-normal text-accent">{t("this")}</span>}
        </h3>
        <p className="wrap-anywhere text-caption text-muted">
          {ip} · {t("seen")} <Time at={last_seen_at} real /> · {t("opened")} <Time at={created_at} real />
        </p>
      </div>
      {!is_this && (
        <ConfirmButton
          look="quiet"
          size="small"
          aria-label={t("endNamed", { device })}
          title={t("endTitle")}
          help={t("endHelp", { device, ip })}
          action={t("end")}
          act={() => api.delete(`/api/dashboard/v1/security/sessions/${id}`)}
          done={t("ended")}
          refresh={refresh}
        >
          {t("end")}
        </ConfirmButton>
      )}
    </li>
  );
}
