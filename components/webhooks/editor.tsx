"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay, useSession } from "@/components/account";
import { type ApiForm, useApiForm } from "@/components/api-form";
import { sellableProducts } from "@/components/products/queries";
import { Field, Select } from "@/components/ui/field";
import { RadioField, TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { AccountLink } from "@/components/ui/link";
import { eventGroups, groupNames } from "@/components/webhooks/events";
import { WebhookSecrets } from "@/components/webhooks/secrets";
import { TestWebhook } from "@/components/webhooks/test";
import type { ChangedWebhook, CreatedWebhook, Webhook, WebhookEvent, WebhookInput } from "@/lib/webhooks/schema";
import { isOtherOrigin } from "@/lib/webhooks/states";

type Values = { title: string; url: string; event: WebhookEvent; which: "all" | "some"; products: string[] };

const hasToken = (saved: ChangedWebhook): saved is CreatedWebhook => saved.token !== undefined;

/** Makes a webhook, shows its token once and offers a test of it; or changes one. An address of another origin gets a new token. */
export function WebhookEditor({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const t = useTranslations("webhooks");
  const api = useApi();
  const { mode } = useSession().account;
  const [isKept, setKept] = useState(false);
  const defaultValues: Values = {
    title: webhook?.title ?? "",
    url: webhook?.url ?? "",
    event: webhook?.event ?? "transaction",
    which: webhook && webhook.products.length > 0 && !webhook.trigger_all_products ? "some" : "all",
    products: webhook?.products ?? [],
  };
  const form = useApiForm({
    schema: () => import("@/lib/webhooks/schema").then(({ WebhookInput }) => WebhookInput.refine(names, NO_PRODUCT)),
    defaultValues,
    body: ({ which, products, ...values }) => ({
      ...values,
      trigger_all_products: which === "all",
      products: which === "all" ? [] : products,
    }),
    send: (body) =>
      webhook
        ? api.put<ChangedWebhook>(`/api/partner/v1/webhooks/${webhook.id}`, body)
        : api.post<ChangedWebhook>("/api/partner/v1/webhooks", body),
    fieldOf: { webhook_url_not_allowed: "url" },
    refresh: [api.account, "webhooks"],
    ...(webhook && { done: t("saved") }),
    onSuccess: (saved) => hasToken(saved) || onClose(),
  });
  if (form.answer && hasToken(form.answer)) {
    const { token, secret, event } = form.answer;
    const title = t(webhook ? "movedTitle" : "createdTitle");
    const close = webhook ? onClose : () => setKept(true);
    return isKept ? (
      <TestWebhook webhook={form.answer} onClose={onClose} />
    ) : (
      <WebhookSecrets {...{ title, token, secret, event }} once={t("once")} onClose={close} />
    );
  }
  const moves = webhook !== undefined && isOtherOrigin(webhook.url, form.watch("url").trim());
  return (
    <FormDialog
      form={form}
      title={webhook ? t("edit") : t("new")}
      action={webhook ? t("save") : t("create")}
      onClose={onClose}
    >
      <TextField form={form} name="title" label={t("name")} help={t("nameHelp")} fault={t("faults.title")} />
      <TextField
        form={form}
        name="url"
        label={t("url")}
        help={moves ? t("urlMoves") : mode === "sandbox" ? t("urlHelpSandbox") : t("urlHelp")}
        fault={t(mode === "sandbox" ? "faults.urlSandbox" : "faults.url")}
        inputMode="url"
        placeholder="https://"
      />
      <Field label={t("event")} help={t("eventHelp")} error={form.faultOf("event") && t("faults.event")}>
        {(wiring) => (
          <Select {...wiring} {...form.register("event")}>
            {groupNames.map((group) => (
              <optgroup key={group} label={t(`groups.${group}`)}>
                {eventGroups[group].map((event) => (
                  <option key={event} value={event}>
                    {t(`events.${event}`)}
                  </option>
                ))}
              </optgroup>
            ))}
          </Select>
        )}
      </Field>
      <AccountLink
        href="/webhooks/sent"
        target="_blank"
        className="-mt-3 w-fit text-caption underline underline-offset-4"
      >
        {t("whatIsSent")}
      </AccountLink>
      <ProductFields form={form} />
    </FormDialog>
  );
}

type Form = ApiForm<Values, ChangedWebhook>;

/** Of which products the webhook hears; nothing where the account has none. */
function ProductFields({ form }: { form: Form }) {
  const t = useTranslations("webhooks.products");
  const { features } = useSession();
  const maySee = useMay("plans:read") && features.includes("recurring");
  const { data } = useQuery({ ...sellableProducts(useApi().account), enabled: maySee });
  const sold = data?.data ?? [];
  const others = form.formState.defaultValues?.products?.filter((id) => !sold.some((one) => one.reference_id === id));
  const options = [
    ...sold.map(({ reference_id, name }) => [reference_id, name] as const),
    ...(others ?? []).flatMap((id) => (id ? [[id, t("ended", { id })] as const] : [])),
  ];
  if (options.length === 0) return null;
  const isSome = form.watch("which") === "some";
  return (
    <>
      <RadioField
        form={form}
        name="which"
        label={t("label")}
        options={[
          ["all", t("all")],
          ["some", t("some")],
        ]}
      />
      {isSome && (
        <fieldset className="grid max-h-48 gap-2 overflow-y-auto">
          <legend className="mb-2 text-caption text-muted">{t("help")}</legend>
          {options.map(([id, name]) => (
            <label key={id} className="flex items-start gap-3">
              <input
                type="checkbox"
                value={id}
                {...form.register("products")}
                className="mt-1 size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0 wrap-anywhere">{name}</span>
            </label>
          ))}
          <p role="alert" className="text-bad text-caption">
            {form.faultOf("products") && t("fault")}
          </p>
        </fieldset>
      )}
    </>
  );
}

/** To hear of some products, at least one is named; the API takes none for all. */
const names = ({ trigger_all_products, products }: WebhookInput) => trigger_all_products || products.length > 0;
const NO_PRODUCT = { path: ["products"] };
