"use client";
import { useTranslations } from "use-intl";
import { apiOf } from "@/components/api";
import { useApiForm } from "@/components/api-form";
import { EntryHead } from "@/components/auth/entry";
import { Expired, isExpired } from "@/components/auth/expired";
import { secretInPath } from "@/components/auth/in-browser";
import { keepEmail } from "@/components/auth/kept-email";
import { Form, Submit, TextField } from "@/components/ui/form";

/** A new password by the link of a mail. Afterwards the person signs in with it, because every session has ended. */
export function ResetForm() {
  const t = useTranslations("reset");
  const form = useApiForm({
    schema: () => import("@/lib/users/schema").then(({ ResetBody }) => ResetBody),
    defaultValues: { password: "" },
    body: ({ password }) => ({ password, secret: secretInPath() }),
    send: (body) => apiOf(null).post<{ email: string; sign_in: string }>("/api/dashboard/v1/reset", body),
    onSuccess({ email, sign_in }) {
      keepEmail(email);
      window.location.replace(`${sign_in}?changed=1`);
    },
    leaves: true,
  });
  if (isExpired(form.failure)) {
    return <Expired text={t("expired")} next={{ href: "/forgot", label: t("toForgot") }} />;
  }
  return (
    <>
      <EntryHead title={t("title")}>
        <p className="text-muted">{t("purpose")}</p>
      </EntryHead>
      <Form form={form}>
        <TextField
          form={form}
          name="password"
          type="password"
          autoComplete="new-password"
          label={t("password")}
          help={t("passwordHelp")}
          fault={t("faults.password")}
          className="!h-11"
        />
        <Submit form={form} size="large" busyText={t("saving")} className="!justify-self-stretch">
          {t("save")}
        </Submit>
      </Form>
    </>
  );
}
