"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { FieldsSkeleton } from "@/components/settings/skeleton";
import { SettingsHead } from "@/components/settings/tabs";
import { OrderRow } from "@/components/tracking/order";
import { type TrackingAnswer, trackingQuery } from "@/components/tracking/queries";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Form, Submit, TextField } from "@/components/ui/form";
import { Loaded } from "@/components/ui/loaded";
import { Section } from "@/components/ui/page";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";

type Shown = TrackingAnswer["data"];

/** The account's integration with a tracking service, and the sales that were sent to it last. */
export function TrackingPage() {
  const result = useQuery(trackingQuery(useApi().account));
  return (
    <>
      <SettingsHead />
      <Loaded result={result} skeleton={<FieldsSkeleton />}>
        {({ data }) => <Known tracking={data} />}
      </Loaded>
    </>
  );
}

function Known({ tracking }: { tracking: Shown }) {
  const t = useTranslations("tracking");
  const mayWrite = useMay("webhooks:write");
  const { active, orders } = tracking;
  return (
    <div className="grid gap-8">
      <Section title={t("title")} aside={mayWrite && active && <Deactivate />} className="!border-t-0 !pt-0">
        <div className="grid max-w-[72ch] gap-5">
          <p className="text-muted">{t("help")}</p>
          <Standing tracking={tracking} />
          {mayWrite && <Token key={tracking.last4} active={active} />}
        </div>
      </Section>
      <Section title={t("orders")}>
        {orders.length === 0 && <p className="border-t py-8 text-muted">{t(active ? "none" : "noneYet")}</p>}
        {orders.length > 0 && (
          <ul className="border-b">
            {orders.map((order) => (
              <OrderRow key={order.event_id} order={order} />
            ))}
          </ul>
        )}
      </Section>
    </div>
  );
}

function Standing({ tracking: { active, last4, since } }: { tracking: Shown }) {
  const t = useTranslations("tracking");
  if (!active) return <Status tone="muted">{t("inactive")}</Status>;
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <Status tone="good">{t("active")}</Status>
      <code className="font-mono text-caption">…{last4}</code>
      {since && (
        <span className="text-caption text-muted">
          {t("since")} <Time at={since} absolute real />
        </span>
      )}
    </p>
  );
}

function Token({ active }: { active: boolean }) {
  const t = useTranslations("tracking");
  const api = useApi();
  const form = useApiForm({
    schema: () => import("@/lib/tracking/schema").then(({ TrackingToken }) => TrackingToken),
    defaultValues: { token: "" },
    send: (body) => api.post<TrackingAnswer>("/api/partner/v1/tracking", body),
    refresh: trackingQuery(api.account).queryKey,
    done: t("saved"),
  });
  return (
    <Form form={form}>
      <TextField
        form={form}
        name="token"
        type="password"
        autoComplete="off"
        maxLength={512}
        label={t(active ? "newToken" : "token")}
        help={t("tokenHelp")}
        fault={t("fault")}
      />
      <Submit form={form}>{t(active ? "replace" : "activate")}</Submit>
    </Form>
  );
}

function Deactivate() {
  const t = useTranslations("tracking");
  const api = useApi();
  return (
    <ConfirmButton
      look="quiet"
      size="small"
      title={t("deactivateTitle")}
      help={t("deactivateHelp")}
      action={t("deactivateNow")}
      act={() => api.post("/api/partner/v1/tracking/deactivate")}
      done={t("deactivated")}
      refresh={trackingQuery(api.account).queryKey}
    >
      {t("deactivate")}
    </ConfirmButton>
  );
}
