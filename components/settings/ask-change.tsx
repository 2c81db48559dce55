"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { documentNumber } from "@/components/format";
import { settingsOf } from "@/components/settings/queries";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import type { OwnAccount } from "@/lib/profile/schema";
import type { ProfileRequestSent } from "@/lib/profile-requests/schema";

type Props = {
  account: OwnAccount;
  /** Whether all of it is offered, or who represents the company alone. */
  of: "all" | "representative";
  onClose: () => void;
};

/** Asks the operator for a change of what it reviews: only what differs from how it is now is asked for. */
export function AskChange({ account, of, onClose }: Props) {
  const t = useTranslations("settings.identity");
  const api = useApi();
  const person = account.legal_representative;
  const now = {
    name: account.name,
    document: documentNumber(account.document),
    legal_representative: {
      name: String(person?.name ?? ""),
      document: documentNumber(String(person?.document ?? "")),
    },
  };
  const form = useApiForm({
    schema: () => import("@/lib/profile-requests/schema").then(({ ProfileRequestBody }) => ProfileRequestBody),
    defaultValues: now,
    body: ({ name, document, legal_representative: asked }): ProfileRequestSent => ({
      ...(name.trim() !== now.name && { name }),
      ...(document !== now.document && { document }),
      ...((of === "representative" ||
        asked.name !== now.legal_representative.name ||
        asked.document !== now.legal_representative.document) && {
        legal_representative: asked,
      }),
    }),
    send: (body) => api.post("/api/dashboard/v1/account/requests", body),
    refresh: settingsOf(api.account),
    done: t("sent"),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t(of === "all" ? "askTitle" : "representative")}
      description={t(of === "all" ? "askHelp" : "representativeHelp")}
      action={t("send")}
      onClose={onClose}
    >
      {of === "all" && (
        <>
          <TextField form={form} name="name" label={t("name")} fault={t("faults.name")} />
          <TextField form={form} name="document" label={t("document")} fault={t("faults.document")} />
        </>
      )}
      <fieldset className="grid gap-5">
        <legend className={of === "all" ? "mb-3 font-semibold" : "sr-only"}>{t("representative")}</legend>
        <TextField
          form={form}
          name="legal_representative.name"
          label={t("representativeName")}
          fault={t("faults.representativeName")}
        />
        <TextField
          form={form}
          name="legal_representative.document"
          label={t("representativeDocument")}
          fault={t("faults.representativeDocument")}
        />
      </fieldset>
    </FormDialog>
  );
}
