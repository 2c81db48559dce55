"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApiForm } from "@/components/api-form";
import { useApi } from "@/components/frame/account";
import { Dialog } from "@/components/ui/dialog";
import { Form, Submit, TextField } from "@/components/ui/form";
import { SecretsDialog } from "@/components/ui/secret";
import type { NewCredential } from "@/lib/credentials/schema";

/** Asks for a name, then shows the secret and the API key once. */
export function CreateCredential({ onClose }: { onClose: () => void }) {
  const t = useTranslations("credentials");
  const api = useApi();
  const client = useQueryClient();
  const form = useApiForm({
    schema: () => import("@/lib/credentials/schema").then(({ CredentialBody }) => CredentialBody),
    defaultValues: { name: "" },
    send: (body, options) => api.post<{ data: NewCredential }>("/api/partner/v1/credentials", body, options),
    onSuccess: () => client.invalidateQueries({ queryKey: [api.account, "credentials"] }),
  });
  if (form.answer) {
    const { client_id, client_secret, api_key } = form.answer.data;
    return (
      <SecretsDialog
        title={t("createdTitle")}
        once={t("once")}
        rows={[
          [t("clientId"), client_id],
          [t("clientSecret"), client_secret],
          [t("apiKey"), api_key, t("apiKeyHelp")],
        ]}
        kept={t("kept")}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title={t("new")} description={t("newHelp")} onClose={onClose}>
      <Form form={form}>
        <TextField
          form={form}
          name="name"
          label={t("name")}
          help={t("nameHelp")}
          fault={t("nameMissing")}
          maxLength={100}
        />
        <Submit form={form}>{t("create")}</Submit>
      </Form>
    </Dialog>
  );
}
