"use client";
import { useState } from "react";
import { type Resolver, useForm } from "react-hook-form";
import { useTranslations } from "use-intl";
import { apiOf, isApiError } from "@/components/api";
import { signIn } from "@/components/frame/sign-in";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { Failure } from "@/components/ui/state";

type Values = Record<"company" | "document" | "name" | "email" | "password", string>;

const fields = [
  { name: "company", type: "text", autoComplete: "organization" },
  { name: "document", type: "text", autoComplete: "off" },
  { name: "name", type: "text", autoComplete: "name" },
  { name: "email", type: "email", autoComplete: "username" },
  { name: "password", type: "password", autoComplete: "new-password" },
] as const;
const names = fields.map(({ name }) => name);

/** Documents may be pasted with their dots and dashes; the API takes letters and digits. */
const bodyOf = (values: Values) => ({
  ...values,
  document: values.document.replace(/[^0-9A-Za-z]/g, "").toUpperCase(),
});

const resolver: Resolver<Values> = async (values) => {
  const { SignUpBody } = await import("@/lib/accounts/schema");
  const { error } = SignUpBody.safeParse(bodyOf(values));
  if (!error) return { values, errors: {} };
  return {
    values: {},
    errors: Object.fromEntries(error.issues.map(({ path }) => [String(path[0]), { type: "schema" }])),
  };
};

/** A new seller: pending until approved, its sandbox usable at once. */
export function SignUpForm() {
  const t = useTranslations("signUp");
  const form = useForm<Values>({
    defaultValues: { company: "", document: "", name: "", email: "", password: "" },
    resolver,
  });
  const [isDone, setDone] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);

  async function create(values: Values) {
    setFailure(null);
    try {
      await apiOf(null).post("/api/public/v1/sign-up", bodyOf(values));
      const refused = await signIn(values.email, values.password);
      setDone(true);
      window.location.assign(refused ? "/sign-in?created=1" : "/home");
    } catch (error) {
      const faulty = isApiError(error) ? names.filter((name) => error.errors?.[name]) : [];
      if (faulty.length === 0) setFailure(error as Error);
      for (const name of faulty) form.setError(name, { type: "server" }, { shouldFocus: name === faulty[0] });
    }
  }

  const { errors: faults, isSubmitting } = form.formState;
  const busy = isSubmitting || isDone;
  return (
    <form noValidate method="post" onSubmit={form.handleSubmit(create, () => setFailure(null))} className="grid gap-5">
      {fields.map(({ name, type, autoComplete }) => (
        <Field
          key={name}
          label={t(name)}
          help={name === "document" ? t("documentHelp") : name === "password" ? t("passwordHelp") : undefined}
          error={faults[name] && t(`faults.${name}`)}
        >
          {(wiring) => (
            <Input {...wiring} {...form.register(name)} type={type} autoComplete={autoComplete} className="!h-11" />
          )}
        </Field>
      ))}
      {failure && <Failure error={failure} />}
      <p className="text-caption text-muted">{t("pendingHelp")}</p>
      <Button type="submit" look="primary" size="large" busy={busy}>
        {busy ? t("creating") : t("createAccount")}
      </Button>
      <p className="text-muted">
        {t("haveAccount")}{" "}
        <a href="/sign-in" className="font-medium text-accent underline underline-offset-4">
          {t("toSignIn")}
        </a>
      </p>
    </form>
  );
}
