"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { Dialog } from "@/components/ui/dialog";
import { Form, Submit, TextField } from "@/components/ui/form";

/** Asks for the account's name before the account is closed, and then loads the page anew: all of it has changed. */
export function CloseAccount({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useTranslations("closing");
  const api = useApi();
  const form = useApiForm({
    schema: () => import("@/lib/closing/schema").then(({ CloseBody }) => CloseBody),
    defaultValues: { name: "" },
    send: (body) => api.post("/api/dashboard/v1/account/closing", body),
    done: t("done"),
    onSuccess: () => window.location.reload(),
    leaves: true,
  });
  return (
    <Dialog title={t("dialogTitle", { name })} description={t("dialogHelp")} onClose={onClose}>
      <Form form={form}>
        <TextField form={form} name="name" label={t("name")} help={t("nameHelp", { name })} fault={t("fault")} />
        <Submit form={form} look="danger">
          {t("action")}
        </Submit>
      </Form>
    </Dialog>
  );
}
