"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { SecretsDialog } from "@/components/ui/secret";
import type { NewCredential } from "@/lib/credentials/schema";

/** Asks for a name, then shows the secret and the API key once. */
export function CreateCredential({ onClose }: { onClose: () => void }) {
  const t = useTranslations("credentials");
  const api = useApi();
  const form = useApiForm({
    schema: () => import("@/lib/credentials/schema").then(({ CredentialBody }) => CredentialBody),
    defaultValues: { name: "" },
    send: (body) => api.post<{ data: NewCredential }>("/api/partner/v1/credentials", body),
    refresh: [api.account, "credentials"],
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
    <FormDialog form={form} title={t("new")} description={t("newHelp")} action={t("create")} onClose={onClose}>
      <TextField
        form={form}
        name="name"
        label={t("name")}
        help={t("nameHelp")}
        fault={t("nameMissing")}
        maxLength={100}
      />
    </FormDialog>
  );
}
