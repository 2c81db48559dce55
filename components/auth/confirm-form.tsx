"use client";
import { useTranslations } from "use-intl";
import { apiOf } from "@/components/api";
import { useApiForm } from "@/components/api-form";
import { EntryHead } from "@/components/auth/entry";
import { Expired, isExpired } from "@/components/auth/expired";
import { secretInPath } from "@/components/auth/in-browser";
import { keepEmail } from "@/components/auth/kept-email";
import { signIn } from "@/components/frame/sign-in";
import { Form, Submit, TextField } from "@/components/ui/form";

/**
 * Confirms the address of a link. Opening the page changes nothing, because mail servers open links too. `account` is that
 * of a session whose person the link is for; everybody else types the password that was chosen.
 */
export function ConfirmForm({ account }: { account: string | null }) {
  return account === null ? <ByPassword /> : <BySession account={account} />;
}

function ByPassword() {
  const t = useTranslations("confirm");
  const form = useApiForm({
    schema: () => import("@/lib/users/schema").then(({ ConfirmBody }) => ConfirmBody),
    defaultValues: { password: "" },
    body: ({ password }) => ({ password, secret: secretInPath() }),
    send: (body) => apiOf(null).post<{ email: string }>("/api/dashboard/v1/confirm", body),
    async onSuccess({ email }, { password }) {
      const refused = await signIn({ email, password });
      if (refused) keepEmail(email);
      window.location.replace(refused ? "/sign-in?created=1" : "/home");
    },
    leaves: true,
  });
  if (isExpired(form.failure)) return <ConfirmExpired />;
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
          autoComplete="current-password"
          label={t("password")}
          help={t("passwordHelp")}
          fault={t("faults.password")}
          className="!h-11"
        />
        <Submit form={form} size="large" busyText={t("confirming")} className="!justify-self-stretch">
          {t("confirm")}
        </Submit>
        <p className="text-caption text-muted">{t("notYou")}</p>
      </Form>
    </>
  );
}

function BySession({ account }: { account: string }) {
  const t = useTranslations("confirm");
  const form = useApiForm({
    schema: () => import("@/lib/users/schema").then(({ ConfirmAddressBody }) => ConfirmAddressBody),
    defaultValues: {},
    body: () => ({ secret: secretInPath() }),
    send: (body) => apiOf(account).post("/api/dashboard/v1/confirm/address", body),
    onSuccess: () => window.location.replace("/home"),
    leaves: true,
  });
  if (isExpired(form.failure)) return <ConfirmExpired />;
  return (
    <>
      <EntryHead title={t("title")}>
        <p className="text-muted">{t("purposeSignedIn")}</p>
      </EntryHead>
      <Form form={form}>
        <Submit form={form} size="large" busyText={t("confirming")} className="!justify-self-stretch">
          {t("confirm")}
        </Submit>
      </Form>
    </>
  );
}

function ConfirmExpired() {
  const t = useTranslations("confirm");
  return <Expired text={t("expired")} next={{ href: "/sign-up", label: t("toSignUp") }} />;
}
