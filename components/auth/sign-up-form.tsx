"use client";
import { useTranslations } from "use-intl";
import { apiOf } from "@/components/api";
import { useApiForm } from "@/components/api-form";
import { signIn } from "@/components/frame/sign-in";
import { Form, Submit, TextField } from "@/components/ui/form";

const fields = [
  { name: "company", type: "text", autoComplete: "organization" },
  { name: "document", type: "text", autoComplete: "off" },
  { name: "name", type: "text", autoComplete: "name" },
  { name: "email", type: "email", autoComplete: "username" },
  { name: "password", type: "password", autoComplete: "new-password" },
] as const;

/** A new seller: pending until approved, its sandbox usable at once. */
export function SignUpForm() {
  const t = useTranslations("signUp");
  const form = useApiForm({
    schema: () => import("@/lib/accounts/schema").then(({ SignUpBody }) => SignUpBody),
    defaultValues: { company: "", document: "", name: "", email: "", password: "" },
    send: (body) => apiOf(null).post("/api/public/v1/sign-up", body),
    async onSuccess(_, { email, password }) {
      const refused = await signIn(email, password);
      window.location.assign(refused ? "/sign-in?created=1" : "/home");
    },
    leaves: true,
  });
  return (
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
      <Submit form={form} size="large" busyText={t("creating")} className="!justify-self-stretch">
        {t("createAccount")}
      </Submit>
      <p className="text-muted">
        {t("haveAccount")}{" "}
        <a href="/sign-in" className="font-medium text-accent underline underline-offset-4">
          {t("toSignIn")}
        </a>
      </p>
    </Form>
  );
}
