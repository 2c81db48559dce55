"use client";
import { type FormEvent, useRef, useState, useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { pathOfOurs } from "@/components/auth/path-of-ours";
import { type SignInFault, signIn } from "@/components/frame/sign-in";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";

type Fault = SignInFault | "missing";

/**
 * Sign-in. A failure is one sentence, the same whether or not the e-mail is known. The page is rendered once for
 * everybody (lib/http/page-memory.ts), so the query of its address is read here.
 */
export function SignInForm() {
  const t = useTranslations("signIn");
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const isSecure = useInBrowser<boolean>(() => window.isSecureContext, true);
  const isNew = useInBrowser<boolean>(() => asked().has("created"), false);
  const signUpPath = useInBrowser(signUpPathOf, "/sign-up");

  async function submit(event: FormEvent) {
    event.preventDefault();
    const given = { email: email.current?.value.trim() ?? "", password: password.current?.value ?? "" };
    const empty = given.email === "" ? email : given.password === "" ? password : null;
    if (empty) {
      setFault("missing");
      return empty.current?.focus();
    }
    setBusy(true);
    const refused = await signIn(given.email, given.password);
    if (!refused) return window.location.assign(pathOfOurs(asked().get("next")));
    setBusy(false);
    setFault(refused);
    password.current?.focus();
  }

  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-5">
      {!isSecure && <Notice tone="warn">{t("needsHttps")}</Notice>}
      {isNew && !fault && <Notice tone="accent">{t("created")}</Notice>}
      <div role="alert" className="empty:hidden">
        {fault && <Notice tone="bad">{t(`faults.${fault}`)}</Notice>}
      </div>
      <Field label={t("email")}>
        {(wiring) => (
          <Input
            {...wiring}
            ref={email}
            type="email"
            name="email"
            autoComplete="username"
            inputMode="email"
            className="!h-11"
          />
        )}
      </Field>
      <Field label={t("password")}>
        {(wiring) => (
          <Input
            {...wiring}
            ref={password}
            type="password"
            name="password"
            autoComplete="current-password"
            className="!h-11"
          />
        )}
      </Field>
      <Button type="submit" look="primary" size="large" busy={busy}>
        {busy ? t("signingIn") : t("signIn")}
      </Button>
      <p className="text-muted">
        {t("noAccount")}{" "}
        <a href={signUpPath} className="font-medium text-accent underline underline-offset-4">
          {t("toSignUp")}
        </a>
      </p>
    </form>
  );
}

const asked = () => new URLSearchParams(window.location.search);

/** The path of sign-up, which afterwards leads to the invite that the visitor was sent here from. */
function signUpPathOf(): string {
  const [, secret] = /^(?:\/[\w-]+)?\/invite\/([\w-]+)$/.exec(asked().get("next") ?? "") ?? [];
  return secret ? `/sign-up?invite=${secret}` : "/sign-up";
}

/** A value that only the browser has; `before` is what the server renders. */
const useInBrowser = <T extends boolean | string>(read: () => T, before: T) =>
  useSyncExternalStore(
    () => () => {},
    read,
    () => before,
  );

const edges = { warn: "border-warn", accent: "border-accent", bad: "border-bad" };

function Notice({ tone, children }: { tone: keyof typeof edges; children: string }) {
  return <p className={`border-l-2 bg-surface px-3 py-2 ${edges[tone]}`}>{children}</p>;
}
