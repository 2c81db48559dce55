"use client";
import { useTranslations } from "use-intl";
import { apiOf } from "@/components/api";
import { useApiForm } from "@/components/api-form";
import { securityQuery } from "@/components/security/query";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";

const api = apiOf(null);

export function ChangePassword({ onClose }: { onClose: () => void }) {
  const t = useTranslations("security");
  const form = useApiForm({
    schema: () => import("@/lib/users/schema").then(({ NewPasswordBody }) => NewPasswordBody),
    defaultValues: { password: "" },
    send: (body) => api.post("/api/dashboard/v1/security/password", body),
    refresh: securityQuery.queryKey,
    done: t("changed"),
    onSuccess: onClose,
  });
  return (
    <FormDialog form={form} title={t("change")} description={t("passwordHelp")} action={t("change")} onClose={onClose}>
      <TextField
        form={form}
        name="password"
        type="password"
        autoComplete="new-password"
        label={t("newPassword")}
        help={t("newPasswordHelp")}
        fault={t("passwordFault")}
      />
    </FormDialog>
  );
}
