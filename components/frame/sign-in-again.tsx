"use client";
import { type FormEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { codeInput, isCodeFault, type SignInFault, signIn, signInPage } from "@/components/frame/sign-in";
import { Button } from "@/components/ui/button";
import { buttonLook } from "@/components/ui/button-look";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";

type Props = { shows: string; email: string; onSignedIn: () => void; onClose: () => void };

/**
 * Sign-in over an open page whose session has ended. It hides the page, because another person may be there now, and
 * keeps what was typed in it. It asks for the page's own person; anyone else is led to the sign-in page.
 */
export function SignInAgain({ shows, email, onSignedIn, onClose }: Props) {
  const t = useTranslations("interrupted.sessionEnded");
  const sign = useTranslations("signIn");
  const [fault, setFault] = useState<SignInFault | "missing" | null>(null);
  const [busy, setBusy] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { elements } = event.currentTarget;
    const inputOf = (name: string) => elements.namedItem(name) as HTMLInputElement | null;
    const password = inputOf("password")?.value ?? "";
    setBusy(true);
    const refused = password === "" ? "missing" : await signIn({ email, password, code: inputOf("code")?.value ?? "" });
    setBusy(false);
    if (!refused) return onSignedIn();
    setFault(refused);
    if (isCodeFault(refused)) return setNeedsCode(true);
    inputOf("password")?.select();
  }

  return (
    <Dialog title={t("title")} description={t("text", { account: shows })} sticky opaque onClose={onClose}>
      <form noValidate onSubmit={submit} className="grid gap-5">
        <Field label={sign("email")}>
          {(wiring) => <Input {...wiring} readOnly value={email} type="email" name="email" autoComplete="username" />}
        </Field>
        <Field label={sign("password")} error={fault && !isCodeFault(fault) ? sign(`faults.${fault}`) : undefined}>
          {(wiring) => <Input {...wiring} type="password" name="password" autoComplete="current-password" />}
        </Field>
        {needsCode && (
          <Field
            label={sign("code")}
            help={sign("codeHelp")}
            error={fault === "codeWrong" ? sign("faults.codeWrong") : undefined}
          >
            {(wiring) => <Input {...wiring} {...codeInput} autoFocus />}
          </Field>
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="primary" busy={busy}>
            {busy ? sign("signingIn") : sign("signIn")}
          </Button>
          <a href={signInPage()} className={buttonLook({})}>
            {t("other")}
          </a>
        </div>
      </form>
    </Dialog>
  );
}
