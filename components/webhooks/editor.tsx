"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type Resolver, useForm } from "react-hook-form";
import { useTranslations } from "use-intl";
import { isApiError } from "@/components/api";
import { useApi, useSession } from "@/components/frame/account";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { Secrets } from "@/components/ui/secret";
import { Failure } from "@/components/ui/state";
import { toast } from "@/components/ui/toast";
import type { ChangedWebhook, CreatedWebhook, Webhook, WebhookEvent } from "@/lib/webhooks/schema";
import { isOtherOrigin } from "@/lib/webhooks/states";

type Values = { title: string; url: string; event: WebhookEvent };

/** What is offered first; the rest of the list exists for receivers of older contracts and of later features. */
const offered = ["all", "cashin", "transaction"] as const;
const refusals = new Set(["webhook_url_not_allowed"]);

const resolver: Resolver<Values> = async (values) => {
  const { WebhookInput } = await import("@/lib/webhooks/schema");
  const { error } = WebhookInput.safeParse(values);
  if (!error) return { values, errors: {} };
  return {
    values: {},
    errors: Object.fromEntries(error.issues.map(({ path }) => [String(path[0]), { type: "schema" }])),
  };
};

/** Makes a webhook and shows its token once, or changes one; an address of another origin brings a new token. */
export function WebhookEditor({ webhook, onClose }: { webhook?: Webhook; onClose: () => void }) {
  const t = useTranslations("webhooks");
  const router = useRouter();
  const api = useApi();
  const client = useQueryClient();
  const { account } = useSession();
  const form = useForm<Values>({
    defaultValues: { title: webhook?.title ?? "", url: webhook?.url ?? "", event: webhook?.event ?? "transaction" },
    resolver,
  });
  const save = useMutation({
    mutationFn: (values: Values): Promise<ChangedWebhook> =>
      webhook
        ? api.put<ChangedWebhook>(`/api/partner/v1/webhooks/${webhook.id}`, values)
        : api.post<CreatedWebhook>("/api/partner/v1/webhooks", { ...values, trigger_all_products: true }),
    async onSuccess(saved) {
      await client.invalidateQueries({ queryKey: [api.account, "webhooks"] });
      if (!webhook) return;
      toast(t("saved"));
      router.refresh();
      if (!hasToken(saved)) onClose();
    },
    onError(error) {
      const paths = isApiError(error) ? Object.keys(error.errors ?? {}) : [];
      const at = isApiError(error) && refusals.has(error.code ?? "") ? ["url"] : paths;
      for (const path of at) form.setError(path as keyof Values, { type: "server" }, { shouldFocus: true });
    },
  });
  if (save.data && hasToken(save.data)) {
    return <Token created={save.data} title={webhook ? t("movedTitle") : t("createdTitle")} onClose={onClose} />;
  }

  const faults = form.formState.errors;
  const moves = webhook !== undefined && isOtherOrigin(webhook.url, form.watch("url").trim());
  const failure = save.error && Object.keys(faults).length === 0 ? save.error : null;
  const events = webhook && !offered.some((event) => event === webhook.event) ? [...offered, webhook.event] : offered;
  return (
    <Dialog title={webhook ? t("edit") : t("new")} onClose={onClose}>
      <form noValidate onSubmit={form.handleSubmit((values) => save.mutate(values))} className="grid gap-5">
        <Field label={t("name")} help={t("nameHelp")} error={faults.title && t("faults.title")}>
          {(wiring) => <Input {...wiring} {...form.register("title")} autoComplete="off" />}
        </Field>
        <Field
          label={t("url")}
          help={moves ? t("urlMoves") : account.mode === "sandbox" ? t("urlHelpSandbox") : t("urlHelp")}
          error={faults.url && t(account.mode === "sandbox" ? "faults.urlSandbox" : "faults.url")}
        >
          {(wiring) => (
            <Input {...wiring} {...form.register("url")} inputMode="url" autoComplete="off" placeholder="https://" />
          )}
        </Field>
        <Field label={t("event")} help={t("eventHelp")} error={faults.event && t("faults.event")}>
          {(wiring) => (
            <Select {...wiring} {...form.register("event")}>
              {events.map((event) => (
                <option key={event} value={event}>
                  {t(`events.${event}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {failure && <Failure error={failure} />}
        <Button type="submit" look="primary" busy={save.isPending} className="justify-self-start max-sm:w-full">
          {webhook ? t("save") : t("create")}
        </Button>
      </form>
    </Dialog>
  );
}

const hasToken = (saved: ChangedWebhook): saved is CreatedWebhook => saved.token !== undefined;

function Token({ created, title, onClose }: { created: CreatedWebhook; title: string; onClose: () => void }) {
  const t = useTranslations("webhooks");
  return (
    <Dialog title={title} description={t("once")} sticky onClose={onClose}>
      <Secrets
        rows={[
          [t("token"), created.token, t("tokenHelp")],
          [t("secret"), created.secret, t("secretHelp")],
        ]}
      />
      <Button look="primary" className="mt-6 max-sm:w-full" onClick={onClose}>
        {t("kept")}
      </Button>
    </Dialog>
  );
}
