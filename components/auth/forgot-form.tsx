"use client";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { apiOf } from "@/components/api";
import { useApiForm } from "@/components/api-form";
import { CheckMail } from "@/components/auth/check-mail";
import { EntryHead, EntryLink } from "@/components/auth/entry";
import { keptEmail } from "@/components/auth/kept-email";
import { Form, Submit, TextField } from "@/components/ui/form";

/** Asks for the mail that leads to a new password. */
export function ForgotForm({ inbox }: { inbox: string | null }) {
  const t = useTranslations("forgot");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useApiForm({
    schema: () => import("@/lib/users/schema").then(({ ForgotBody }) => ForgotBody),
    defaultValues: { email: "" },
    body: ({ email }) => ({ email: email.trim(), locale: document.documentElement.lang as "pt-BR" | "en" }),
    send: (body) => apiOf(null).post("/api/dashboard/v1/forgot", body),
    onSuccess: (_, { email }) => setSentTo(email.trim()),
  });
  const { setValue, getValues } = form;
  useEffect(() => {
    if (getValues("email") === "") setValue("email", keptEmail());
  }, [setValue, getValues]);

  if (sentTo !== null) {
    return <CheckMail text={t("mailed", { email: sentTo })} inbox={inbox} onBack={() => setSentTo(null)} />;
  }
  return (
    <>
      <EntryHead title={t("title")}>
        <p className="text-muted">{t("purpose")}</p>
      </EntryHead>
      <Form form={form}>
        <TextField
          form={form}
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          label={t("email")}
          fault={t("faults.email")}
          className="!h-11"
        />
        <Submit form={form} size="large" busyText={t("sending")} className="!justify-self-stretch">
          {t("send")}
        </Submit>
        <p className="text-muted">
          {t("remembered")}{" "}
          <EntryLink href="/sign-in" email={() => getValues("email")}>
            {t("toSignIn")}
          </EntryLink>
        </p>
      </Form>
    </>
  );
}
