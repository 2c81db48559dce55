"use client";
import { Menu, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Drop } from "@/components/frame/drop";
import { Logo } from "@/components/frame/logo";
import { Preferences } from "@/components/frame/preferences";
import { SignOut } from "@/components/frame/sign-out";
import { OperatorNav } from "@/components/operator/nav";
import { PageLink } from "@/components/ui/page-link";

type Person = { name: string; email: string };

/** `isOpen` is whether the person may see more than how they sign in. */
type Props = { person: Person; isOpen: boolean; children: ReactNode };

/** The console's frame. Its sidebar is ink and the dashboard's is paper, so that the two are not confused. */
export function OperatorFrame({ person, isOpen, children }: Props) {
  const t = useTranslations("operator");
  return (
    <div className="lg:flex">
      <a
        href="#content"
        className="sr-only z-50 rounded-control bg-ground px-4 py-2 text-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t("skip")}
      </a>
      <header className="shrink-0 bg-console text-on-console lg:sticky lg:top-0 lg:h-dvh lg:w-[232px] [&_:focus-visible]:outline-on-console">
        <div className="flex h-full flex-col gap-4 px-3 py-4 max-lg:hidden">
          <Brand />
          <div className="-mx-3 min-h-0 flex-1 overflow-y-auto px-3 py-1">{isOpen && <OperatorNav />}</div>
          <Drop
            trigger={
              <>
                <UserRound aria-hidden="true" className="size-[18px] shrink-0" />
                <span className="min-w-0 flex-1 truncate text-left">{person.name}</span>
              </>
            }
            hint={t("person")}
            look={look}
            place="bottom-16 left-3"
          >
            <Own person={person} />
          </Drop>
        </div>
        <div className="flex h-14 items-center justify-between gap-3 px-4 lg:hidden">
          <Brand />
          <Drop
            trigger={<Menu aria-hidden="true" className="size-5" />}
            hint={t("openMenu")}
            look={look}
            place="top-14 right-4"
          >
            {isOpen && (
              <div className="-m-3 mb-3 rounded-t-card bg-console p-3 text-on-console">
                <OperatorNav />
              </div>
            )}
            <Own person={person} />
          </Drop>
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full min-w-0 max-w-[1160px] px-6 py-8 outline-none [--here:var(--ink)] max-sm:px-4 max-sm:py-6"
      >
        {children}
      </main>
    </div>
  );
}

function Brand() {
  const t = useTranslations("operator");
  return (
    <PageLink href="/operator/accounts" className="flex items-center gap-3 px-2 max-lg:px-0">
      <Logo />
      <span className="rounded-control border border-on-console/40 px-2 py-0.5 text-caption">{t("console")}</span>
    </PageLink>
  );
}

/** The look of the buttons on ink. */
const look = "flex h-11 min-w-11 items-center justify-center gap-2.5 rounded-control px-2 hover:bg-on-console/15";

function Own({ person: { email } }: { person: Person }) {
  const t = useTranslations("operator");
  return (
    <>
      <p className="truncate px-2 text-caption text-muted">{email}</p>
      <PageLink href="/operator/security" className="flex h-9 items-center px-2 underline underline-offset-4">
        {t("security")}
      </PageLink>
      <Preferences />
      <div className="mt-3 border-t pt-2">
        <SignOut />
      </div>
    </>
  );
}
