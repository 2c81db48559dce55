"use client";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { apiOf } from "@/components/api";
import { useApiForm } from "@/components/api-form";
import { CheckMail } from "@/components/auth/check-mail";
import { EntryHead, EntryLink } from "@/components/auth/entry";
import { invitationAsked, useInBrowser } from "@/components/auth/in-browser";
import { InvitationCard, useInvitation } from "@/components/auth/invitation";
import { keepEmail, keptEmail } from "@/components/auth/kept-email";
import { signIn } from "@/components/frame/sign-in";
import { Form, Submit, TextField } from "@/components/ui/form";
import type { SignUpAnswer } from "@/lib/accounts/schema";

const fields = [
  { name: "company", type: "text", autoComplete: "organization" },
  { name: "document", type: "text", autoComplete: "off" },
  { name: "name", type: "text", autoComplete: "name" },
  { name: "email", type: "email", autoComplete: "username" },
  { name: "password", type: "password", autoComplete: "new-password" },
] as const;

const empty = { company: "", document: "", name: "", email: "", password: "" };

/**
 * A new seller: pending until approved, its sandbox usable at once. What follows is in a mail, except for who came by an
 * invitation's link (`?invite=`) and has so proved the e-mail.
 */
export function SignUpForm({ inbox }: { inbox: string | null }) {
  const t = useTranslations("signUp");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const secret = useInBrowser(invitationAsked, null);
  const invite = useInvitation(secret);
  const after = secret === null ? "/home" : `/invite/${encodeURIComponent(secret)}`;
  const toSignIn = secret === null ? "/sign-in" : `/sign-in?next=${encodeURIComponent(after)}`;
  const form = useApiForm({
    schema: () => import("@/lib/accounts/schema").then(({ SignUpBody }) => SignUpBody),
    defaultValues: empty,
    body: (values) => ({ ...values, ...inLocale(), ...(secret !== null && { invite: secret }) }),
    send: (body) => apiOf(null).post<SignUpAnswer>("/api/public/v1/sign-up", body),
    async onSuccess({ status }, { email, password }) {
      if (status === "mailed") return setSentTo(email.trim());
      setLeaving(true);
      if (!(await signIn({ email, password }))) return window.location.assign(after);
      keepEmail(email);
      window.location.assign(`/sign-in?created=1&next=${encodeURIComponent(after)}`);
    },
  });
  const { setValue, getValues } = form;
  useEffect(() => {
    if (getValues("email") === "") setValue("email", keptEmail());
  }, [setValue, getValues]);
  const invited = invite?.recipient.email;
  useEffect(() => {
    if (invited && getValues("email") === "") setValue("email", invited);
  }, [invited, setValue, getValues]);

  if (sentTo !== null) {
    return <CheckMail text={t("mailed", { email: sentTo })} inbox={inbox} onBack={() => setSentTo(null)} />;
  }
  return (
    <>
      <EntryHead title={t("signUpTitle")}>
        <p className="text-muted">{t("signUpPurpose")}</p>
      </EntryHead>
      {invite && <InvitationCard invite={invite} next={t("toAnswer")} />}
      <Form form={form}>
        {fields.map(({ name, ...field }) => (
          <TextField
            key={name}
            form={form}
            name={name}
            {...field}
            label={t(name)}
            help={name === "document" ? t("documentHelp") : name === "password" ? t("passwordHelp") : undefined}
            fault={t(`faults.${name}`)}
            className="!h-11"
          />
        ))}
        <p className="text-caption text-muted">{t("pendingHelp")}</p>
        <Submit
          form={{ ...form, busy: form.busy || isLeaving }}
          size="large"
          busyText={t("creating")}
          className="!justify-self-stretch"
        >
          {t("createAccount")}
        </Submit>
        <p className="text-muted">
          {t("haveAccount")}{" "}
          <EntryLink href={toSignIn} email={() => getValues("email")}>
            {t("toSignIn")}
          </EntryLink>
        </p>
      </Form>
    </>
  );
}

/** The language of the page, in which the mails are then written. */
const inLocale = () => ({ locale: document.documentElement.lang as "pt-BR" | "en" });
