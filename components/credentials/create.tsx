"use client";
import { useTranslations } from "use-intl";
import { useApi, useSession } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { NameField, NetworksField } from "@/components/credentials/fields";
import { bodyOf, type CredentialValues } from "@/components/credentials/values";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { SecretsDialog } from "@/components/ui/secret";
import { moneyScopes } from "@/lib/auth/scopes";
import type { NewCredential } from "@/lib/credentials/schema";

const empty: CredentialValues = { name: "", money_scopes: [], allowed_networks: "", expires_at: "" };

/** Asks for what a credential is to be, then shows the secret and the API key once. */
export function CreateCredential({ onClose }: { onClose: () => void }) {
  const t = useTranslations("credentials");
  const words = useTranslations("scopes");
  const { account, scopes } = useSession();
  const api = useApi();
  const form = useApiForm({
    schema: () => import("@/lib/credentials/schema").then(({ CredentialBody }) => CredentialBody),
    defaultValues: empty,
    body: bodyOf,
    send: (body) => api.post<{ data: NewCredential }>("/api/partner/v1/credentials", body),
    refresh: [api.account, "credentials"],
  });
  if (form.answer) {
    const { client_id, client_secret, api_key, awaiting_scopes: awaiting } = form.answer.data;
    const waiting = awaiting.map((scope) => words(scope as "refunds:write")).join(", ");
    return (
      <SecretsDialog
        title={t("createdTitle")}
        once={waiting ? t("awaitingOnce", { scopes: waiting }) : t("once")}
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
  const [money, networks] = form.watch(["money_scopes", "allowed_networks"]);
  const offered = moneyScopes.filter((scope) => scopes.includes(scope));
  return (
    <FormDialog form={form} title={t("new")} description={t("newHelp")} action={t("create")} onClose={onClose}>
      <NameField form={form} />
      {offered.length > 0 && (
        <fieldset className="grid gap-2">
          <legend className="mb-1.5 font-medium">{t("money")}</legend>
          {offered.map((scope) => (
            <label key={scope} className="flex items-center gap-3">
              <input
                type="checkbox"
                value={scope}
                {...form.register("money_scopes")}
                className="size-4 accent-accent"
              />
              {words(scope)}
            </label>
          ))}
          <p className="text-caption text-muted">
            {t("moneyHelp")} {account.mode === "live" && t("moneyLive")}
          </p>
        </fieldset>
      )}
      <NetworksField form={form} />
      {money.length > 0 && networks.trim() === "" && (
        <p className="-mt-3 text-caption text-warn">{t("moneyAnywhere")}</p>
      )}
      <TextField
        form={form}
        name="expires_at"
        type="date"
        label={t("expires")}
        optional={t("optional")}
        help={t("expiresHelp")}
        fault={t("expiresFault")}
      />
    </FormDialog>
  );
}
