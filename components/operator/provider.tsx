"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { Back } from "@/components/operator/back";
import { useStaffMay } from "@/components/operator/person";
import {
  callbackQuery,
  changeProvider,
  PROVIDERS,
  type Provider,
  providerQuery,
  providersQuery,
  replaceAddress,
} from "@/components/operator/provider-queries";
import { CertificateEnd, RailFigures } from "@/components/operator/rail-figures";
import { healthQuery } from "@/components/operator/report-queries";
import { ReadRecord, Record } from "@/components/record/record";
import { StaffTimeline } from "@/components/timeline/timeline";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Facts, Section } from "@/components/ui/page";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";

const EditProvider = lazyWindow(() =>
  import("@/components/operator/provider-form").then((module) => module.EditProvider),
);

/** A PSP: all that is known of it but its secrets, and what the staff may do with it. */
export function ProviderPage({ name }: { name: string }) {
  const t = useTranslations("providers");
  const result = useQuery(providerQuery(name));
  return (
    <>
      <Back href="/operator/providers">{t("title")}</Back>
      <ReadRecord result={result} title={t("one")}>
        {({ data }) => <Known provider={data} />}
      </ReadRecord>
    </>
  );
}

function Known({ provider }: { provider: Provider }) {
  const t = useTranslations("providers");
  const { name, title, is_default, is_payout_default } = provider;
  return (
    <Record
      title={title}
      status={
        <>
          {is_default && <Status tone="good">{t("default")}</Status>}
          {is_payout_default && <Status tone="good">{t("payoutDefault")}</Status>}
          <span className="text-muted">
            {t(is_default ? "isDefault" : "notDefault")} {is_payout_default && t("isPayoutDefault")}
          </span>
        </>
      }
      actions={<Actions provider={provider} />}
      timeline={<StaffTimeline subject="provider" id={provider.id} record={provider} />}
      aside={
        <>
          <Callback provider={provider} />
          <Section title={t("secrets")}>
            <p className="text-muted">{t("secretsKept")}</p>
          </Section>
        </>
      }
    >
      <Health name={name} />
      <Settings provider={provider} />
    </Record>
  );
}

function Settings({ provider }: { provider: Provider }) {
  const t = useTranslations("providers");
  const { scope, certificate, calls_per_minute, account, account_number, callback_networks } = provider;
  return (
    <Section title={t("settings")}>
      <Facts
        rows={[
          [t("fields.name"), <code key="name">{provider.name}</code>],
          [t("fields.profile"), t(`profiles.${provider.profile as "standard"}`)],
          [t("fields.base_url"), provider.base_url],
          [t("fields.token_url"), provider.token_url],
          [t("fields.client_id"), provider.client_id],
          scope !== null && [t("fields.scope"), scope],
          [t("fields.pix_key"), provider.pix_key],
          [t("certificate"), <CertificateEnd key="end" at={certificate?.ends_at ?? null} />],
          certificate && [t("certificateOf"), certificate.subject],
          [t("payouts"), t(provider.sends_payouts ? "sendsPayouts" : "sendsNoPayouts")],
          account !== null && [t("fields.conta"), <AccountText key="account" account={account} />],
          account_number !== null && [t("fields.account_number"), account_number],
          callback_networks !== null && [t("fields.callback_networks"), callback_networks],
          provider.callback_certificate && [t("callback"), t("certificateNeeded")],
          calls_per_minute !== null && [t("fields.calls_per_minute"), t("count", { count: calls_per_minute })],
          [t("fields.authority"), t(provider.has_authority ? "hasAuthority" : "noAuthority")],
          [t("createdAt"), <Time key="created" at={provider.created_at} absolute />],
          [t("changedAt"), <Time key="changed" at={provider.changed_at} absolute />],
        ]}
      />
    </Section>
  );
}

/** The account that debits of Pix Automático are paid to. */
function AccountText({ account: { agencia, conta, tipoConta } }: { account: NonNullable<Provider["account"]> }) {
  const t = useTranslations("providers");
  const kind = t(`accountKinds.${tipoConta}`);
  return agencia ? t("accountOf", { kind, conta, agencia }) : t("accountWithout", { kind, conta });
}

function Actions({ provider }: { provider: Provider }) {
  const t = useTranslations("providers");
  const [editing, setEditing] = useState(false);
  const mayWrite = useStaffMay("providers:write");
  const others = useQuery({ ...providersQuery, enabled: mayWrite && !provider.is_default });
  if (!mayWrite) return null;
  const { name, title } = provider;
  const isWithoutPayouts =
    !provider.sends_payouts && others.data?.data.every(({ is_payout_default }) => !is_payout_default);
  const other = others.data?.data.find(({ is_default }) => is_default)?.title ?? "none";
  return (
    <div className="flex flex-wrap gap-2">
      {!provider.is_default && (
        <ConfirmButton
          look="primary"
          title={t("makeDefaultNamed", { title })}
          help={
            <>
              {t("makeDefaultHelp", { title, other })} {isWithoutPayouts && t("defaultWithoutPayouts", { title })}
            </>
          }
          action={t("makeDefault")}
          actionLook="primary"
          act={() => changeProvider(name, { is_default: true })}
          done={t("madeDefault", { title })}
          refresh={PROVIDERS}
        >
          {t("makeDefault")}
        </ConfirmButton>
      )}
      {provider.sends_payouts && <PayoutsButton provider={provider} />}
      <Button onClick={() => setEditing(true)}>{t("edit")}</Button>
      {editing && <EditProvider provider={provider} onClose={() => setEditing(false)} />}
    </div>
  );
}

/** Has every payout leave by a PSP, or by that of each account again. */
function PayoutsButton({ provider: { name, title, is_payout_default: isDefault } }: { provider: Provider }) {
  const t = useTranslations("providers");
  const act = isDefault ? "payNone" : "payAll";
  return (
    <ConfirmButton
      title={t(`${act}Named`, { title })}
      help={t(`${act}Help`, { title })}
      action={t(act)}
      actionLook="primary"
      act={() => changeProvider(name, { is_payout_default: !isDefault })}
      done={t(isDefault ? "paysNone" : "paysAll", { title })}
      refresh={PROVIDERS}
    >
      {t(act)}
    </ConfirmButton>
  );
}

function Health({ name }: { name: string }) {
  const t = useTranslations("providers");
  const { data } = useQuery(healthQuery({ period: "hour" }));
  const rail = data?.rails.find(({ provider, is_connected }) => is_connected && provider === name);
  return (
    <Section title={t("health")}>
      {rail && <RailFigures rail={rail} />}
      {data && !rail && <p className="text-muted">{t("notAsked")}</p>}
    </Section>
  );
}

/** Whether the PSP has the address at which it notifies us, as it says itself. The address is a secret. */
function Callback({ provider: { name, title, former_address_until: until } }: { provider: Provider }) {
  const t = useTranslations("providers");
  const mayWrite = useStaffMay("providers:write");
  const { data } = useQuery(callbackQuery(name));
  const state = data && (data.data.is_registered === null ? "unknown" : data.data.is_registered ? "yes" : "no");
  const tones = { yes: "good", no: "bad", unknown: "warn" } as const;
  return (
    <Section title={t("callback")}>
      {state && <Status tone={tones[state]}>{t(`callbackStates.${state}`)}</Status>}
      <p className="mt-2 text-caption text-muted">
        {t("callbackHelp")} {state === "no" && t("callbackNo")}{" "}
        {data?.data.is_secure === false && t("callbackInsecure")}
      </p>
      {until !== null && (
        <p className="mt-2 text-caption">
          {t("formerUntil")} <Time at={until} absolute />
        </p>
      )}
      {mayWrite && (
        <ConfirmButton
          className="mt-3"
          size="small"
          title={t("replaceAddressOf", { title })}
          help={t("replaceAddressHelp")}
          action={t("replaceAddressNow")}
          actionLook="primary"
          act={() => replaceAddress(name)}
          done={t("addressReplaced")}
          refresh={PROVIDERS}
        >
          {t("replaceAddress")}
        </ConfirmButton>
      )}
    </Section>
  );
}
