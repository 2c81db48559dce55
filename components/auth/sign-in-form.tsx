"use client";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { EntryLink } from "@/components/auth/entry";
import { asked, invitationAsked, useInBrowser } from "@/components/auth/in-browser";
import { InvitationCard, useInvitation } from "@/components/auth/invitation";
import { keepEmail, keptEmail } from "@/components/auth/kept-email";
import { Notice } from "@/components/auth/notice";
import { pathOfOurs } from "@/components/auth/path-of-ours";
import { codeInput, isCodeFault, type SignInFault, signIn } from "@/components/frame/sign-in";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";

type Fault = SignInFault | "missing";

/**
 * Sign-in, of sellers or to the operator's console. A failure is one sentence, the same whether or not the e-mail is known. The page is rendered once for
 * everybody (lib/http/page-memory.ts), so the query of its address is read here.
 */
export function SignInForm({ isConsole = false }: { isConsole?: boolean }) {
  const t = useTranslations("signIn");
  const [fault, setFault] = useState<Fault | null>(null);
  const [busy, setBusy] = useState(false);
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const code = useRef<HTMLInputElement>(null);
  const [needsCode, setNeedsCode] = useState(false);
  const isSecure = useInBrowser(() => window.isSecureContext, true);
  const isNew = useInBrowser(() => asked().has("created"), false);
  const isChanged = useInBrowser(() => asked().has("changed"), false);
  const secret = useInBrowser(invitationAsked, null);
  const signUpPath = secret === null ? "/sign-up" : `/sign-up?invite=${secret}`;
  const invite = useInvitation(secret);
  const typed = () => email.current?.value.trim() ?? "";
  useEffect(() => {
    if (email.current?.value === "") email.current.value = keptEmail();
  }, []);
  useEffect(() => {
    if (isCodeFault(fault)) code.current?.select();
  }, [fault]);
  useEffect(() => {
    if (invite && email.current?.value === "") email.current.value = invite.recipient.email;
  }, [invite]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const given = { email: typed(), password: password.current?.value ?? "", code: code.current?.value ?? "" };
    const empty = given.email === "" ? email : given.password === "" ? password : null;
    if (empty) {
      setFault("missing");
      return empty.current?.focus();
    }
    setBusy(true);
    setFault(null);
    const refused = await signIn(given);
    keepEmail(refused ? given.email : "");
    if (!refused)
      return window.location.assign(pathOfOurs(asked().get("next"), isConsole ? "/operator/accounts" : "/home"));
    setBusy(false);
    setFault(refused);
    if (isCodeFault(refused)) setNeedsCode(true);
    else password.current?.focus();
  }

  return (
    <form noValidate method="post" onSubmit={submit} className="grid gap-5">
      {invite && <InvitationCard invite={invite} next={t("toAnswer")} />}
      {!isSecure && <Notice tone="warn">{t("needsHttps")}</Notice>}
      {isNew && !fault && <Notice tone="accent">{t("created")}</Notice>}
      {isChanged && !fault && <Notice tone="accent">{t("changed")}</Notice>}
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
      {needsCode && (
        <Field label={t("code")} help={t("codeHelp")}>
          {(wiring) => <Input {...wiring} {...codeInput} ref={code} className="!h-11" />}
        </Field>
      )}
      <Button type="submit" look="primary" size="large" busy={busy}>
        {busy ? t("signingIn") : t("signIn")}
      </Button>
      <p>
        <EntryLink href="/forgot" email={typed}>
          {t("forgot")}
        </EntryLink>
      </p>
      {!isConsole && (
        <p className="text-muted">
          {t("noAccount")}{" "}
          <EntryLink href={signUpPath} email={typed}>
            {t("toSignUp")}
          </EntryLink>
        </p>
      )}
    </form>
  );
}
