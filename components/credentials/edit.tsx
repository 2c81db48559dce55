"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { NameField, NetworksField } from "@/components/credentials/fields";
import { networksIn, networkText } from "@/components/credentials/values";
import { FormDialog } from "@/components/ui/form-dialog";
import type { Credential } from "@/lib/credentials/schema";

type Props = { credential: Credential; onClose: () => void };

/** Changes a credential's name and from where it may be used. */
export function EditCredential({ credential: { id, name, allowed_networks }, onClose }: Props) {
  const t = useTranslations("credentials");
  const api = useApi();
  const form = useApiForm({
    schema: () => import("@/lib/credentials/schema").then(({ CredentialChange }) => CredentialChange),
    defaultValues: { name, allowed_networks: allowed_networks.map(networkText).join("\n") },
    body: (values) => ({ name: values.name, allowed_networks: networksIn(values.allowed_networks) }),
    send: (body) => api.patch(`/api/partner/v1/credentials/${id}`, body),
    refresh: [api.account, "credentials"],
    done: t("saved"),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t("editNamed", { name })}
      description={t("editHelp")}
      action={t("save")}
      onClose={onClose}
    >
      <NameField form={form} />
      <NetworksField form={form} />
    </FormDialog>
  );
}
