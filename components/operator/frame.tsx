"use client";
import { clsx } from "clsx";
import { Building2, Mail, MessageCircleQuestion, Undo2, UserRound } from "lucide-react";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Logo } from "@/components/frame/logo";
import { Preferences } from "@/components/frame/preferences";
import { SignOut } from "@/components/frame/sign-out";
import { PageLink } from "@/components/ui/page-link";

const pages = [
  { name: "accounts", path: "/operator/accounts", Icon: Building2 },
  { name: "refunds", path: "/operator/refunds", Icon: Undo2 },
  { name: "mails", path: "/operator/mails", Icon: Mail },
  { name: "unanswered", path: "/operator/unanswered", Icon: MessageCircleQuestion },
] as const;

/** The console's frame. Its head is ink and the dashboard's is green, so that the two are not confused. */
export function OperatorFrame({ person, children }: { person: { name: string; email: string }; children: ReactNode }) {
  const t = useTranslations("operator");
  const here = usePathname();
  return (
    <>
      <a
        href="#content"
        className="sr-only z-50 rounded-control bg-ground px-4 py-2 text-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t("skip")}
      </a>
      <header className="flex h-14 items-center gap-6 bg-console px-6 text-on-console max-sm:gap-3 max-sm:px-4">
        <PageLink href="/operator/accounts" className="flex items-center gap-3">
          <Logo nameClassName="max-sm:sr-only" />
          <span className="rounded-control border border-on-console/40 px-2 py-0.5 text-caption max-sm:sr-only">
            {t("console")}
          </span>
        </PageLink>
        <nav aria-label={t("menu")} className="min-w-0 overflow-x-auto">
          <ul className="flex gap-1">
            {pages.map(({ name, path, Icon }) => {
              const isHere = here.startsWith(path);
              return (
                <li key={name}>
                  <PageLink
                    href={path}
                    aria-current={isHere ? "page" : undefined}
                    className={clsx(
                      "flex h-9 items-center gap-2 whitespace-nowrap rounded-control px-3 font-medium max-sm:px-2",
                      isHere ? "bg-on-console/15" : "hover:bg-on-console/15",
                    )}
                  >
                    <Icon aria-hidden="true" className="size-4 max-sm:hidden" />
                    {t(name)}
                  </PageLink>
                </li>
              );
            })}
          </ul>
        </nav>
        <button
          type="button"
          popoverTarget="operator-person"
          className="ml-auto flex h-11 min-w-0 items-center gap-2 rounded-control px-2 hover:bg-on-console/15"
        >
          <UserRound aria-hidden="true" className="size-[18px] shrink-0" />
          <span className="truncate max-sm:sr-only">{person.name}</span>
          <span className="sr-only">{t("person")}</span>
        </button>
        <div
          id="operator-person"
          popover="auto"
          className="enter fixed inset-auto top-14 right-4 m-0 w-[264px] rounded-card border bg-surface p-3 text-ink shadow-float"
        >
          <p className="truncate px-2 pb-3 text-caption text-muted">{person.email}</p>
          <Preferences />
          <div className="mt-3 border-t pt-2">
            <SignOut />
          </div>
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto max-w-[1160px] px-6 py-8 outline-none [--here:var(--ink)] max-sm:px-4 max-sm:py-6"
      >
        {children}
      </main>
    </>
  );
}
