"use client";
import { useTranslations } from "use-intl";
import { Logo } from "@/components/frame/logo";
import { SignOut } from "@/components/frame/sign-out";
import type { AccountOfPerson } from "@/lib/team/schema";

type Props = { accounts: readonly AccountOfPerson[]; email: string };

/** The accounts of a person, each a link that loads a new document; or that there is none, and what to do. */
export function ChooseAccount({ accounts, email }: Props) {
  const t = useTranslations("accounts");
  const roles = useTranslations("roles");
  const isNone = accounts.length === 0;
  return (
    <main className="mx-auto flex min-h-dvh max-w-[440px] flex-col px-4 py-6">
      <Logo />
      <div className="grid flex-1 content-center gap-6 py-10">
        <div className="grid gap-1">
          <h1 className="font-semibold text-title tracking-[-0.01em]">{t(isNone ? "none" : "title")}</h1>
          <p className="text-muted">{t(isNone ? "noneHelp" : "purpose")}</p>
        </div>
        <ul className="grid gap-2">
          {accounts.map(({ live_id, sandbox_id, name, role }) => (
            <li key={live_id} className="grid gap-2 rounded-card border bg-surface px-4 py-3">
              <div className="grid min-w-0">
                <h2 className="truncate font-semibold">{name}</h2>
                <p className="text-caption text-muted">{roles(role)}</p>
              </div>
              <p className="flex gap-4">
                {[["live", live_id] as const, ["sandbox", sandbox_id] as const].map(([mode, id]) => (
                  <a
                    key={mode}
                    href={`/${id}/home`}
                    aria-label={`${name}: ${t(mode)}`}
                    className="font-medium text-accent underline underline-offset-4"
                  >
                    {t(mode)}
                  </a>
                ))}
              </p>
            </li>
          ))}
        </ul>
        <div className="grid gap-2 border-t pt-4">
          <p className="wrap-anywhere px-2 text-caption text-muted">{t("signedInAs", { email })}</p>
          <SignOut />
        </div>
      </div>
    </main>
  );
}
