"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { useNow } from "@/components/clock";
import { dayOf } from "@/components/format";
import { RadioField, TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import type { Replay, ReplayAnswer, Webhook } from "@/lib/webhooks/schema";

type Values = { from: string; to: string; which: "failed" | "all" };

/** Sends the events of a period to a webhook again. They are counted first, and sent by a second press. */
export function ReplayPeriod({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useTranslations("webhooks.replay");
  const api = useApi();
  const today = dayOf(new Date(useNow()));
  const [counted, setCounted] = useState<{ of: string; replay: Replay }>();
  const defaultValues: Values = { from: today, to: today, which: "failed" };
  const form = useApiForm({
    schema: () => import("@/lib/webhooks/schema").then(({ ReplayInput }) => ReplayInput),
    defaultValues,
    body: (values) => ({
      ...{ from: values.from, to: values.to, only_failed: values.which === "failed" },
      dry_run: counted?.of !== nameOf(values),
    }),
    send: (body) => api.post<ReplayAnswer>(`/api/partner/v1/webhooks/${webhook.id}/replay`, body),
    refresh: [api.account, "webhooks"],
    onSuccess: ({ data }, values) => (data.id ? onClose() : setCounted({ of: nameOf(values), replay: data })),
  });
  const replay = counted?.of === nameOf(form.watch()) ? counted.replay : undefined;
  const isFound = replay !== undefined && replay.total > 0;
  return (
    <FormDialog
      form={form}
      title={t("title")}
      description={t("help")}
      action={isFound ? t("send", { count: replay.total }) : t("count")}
      onClose={onClose}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField form={form} name="from" type="date" max={today} label={t("from")} fault={t("faults.from")} />
        <TextField form={form} name="to" type="date" max={today} label={t("to")} fault={t("faults.to")} />
      </div>
      <RadioField
        form={form}
        name="which"
        label={t("which")}
        options={[
          ["failed", t("failed")],
          ["all", t("all")],
        ]}
      />
      <p role="status" className="text-pretty">
        {replay && (isFound ? <Counted replay={replay} /> : t("nothing"))}
      </p>
    </FormDialog>
  );
}

/** What a count stands for: another period is counted anew. */
const nameOf = ({ from, to, which }: Values) => `${from} ${to} ${which}`;

function Counted({ replay: { again, missing, total, total_is_exact } }: { replay: Replay }) {
  const t = useTranslations("webhooks.replay");
  if (!total_is_exact) return t("many", { count: total });
  return [again > 0 && t("again", { count: again }), missing > 0 && t("missing", { count: missing })]
    .filter(Boolean)
    .join(" ");
}
