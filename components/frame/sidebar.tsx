"use client";
import { clsx } from "clsx";
import { ChevronsUpDown, Search, UserRound } from "lucide-react";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/account";
import { AccountSwitch } from "@/components/frame/account-switch";
import { Drop } from "@/components/frame/drop";
import { Logo } from "@/components/frame/logo";
import { ModeSwitch } from "@/components/frame/mode-switch";
import { Nav } from "@/components/frame/nav";
import { openPalette } from "@/components/frame/palette-open";
import { Preferences } from "@/components/frame/preferences";
import { SignOut } from "@/components/frame/sign-out";
import { AccountLink } from "@/components/ui/link";

const row =
  "flex min-h-11 w-full items-center gap-2.5 rounded-control px-2 py-1 text-left transition-colors hover:bg-line/50";

/** The left sidebar: account on top, search, links, person and theme at the foot. Under 1100 px it is a sheet. */
export function Sidebar() {
  const t = useTranslations("nav");
  const { account, user } = useSession();
  return (
    <aside className="print:hidden sticky top-0 flex h-dvh w-[232px] shrink-0 flex-col gap-4 border-r px-3 py-4 max-lg:hidden">
      <AccountLink href="/home" className="px-2">
        <Logo />
      </AccountLink>
      <Drop
        hint={t("switchAccount")}
        look={row}
        place="top-16 left-3"
        trigger={
          <>
            <span className="grid min-w-0 flex-1">
              <span className="truncate font-semibold">{account.name}</span>
              <span className={clsx("text-caption", account.mode === "sandbox" ? "text-warn" : "text-muted")}>
                {t(account.mode)}
              </span>
            </span>
            <ChevronsUpDown aria-hidden="true" className="size-4 text-muted" />
          </>
        }
      >
        <AccountSwitch />
        <ModeSwitch />
      </Drop>
      <button
        type="button"
        onClick={openPalette}
        className="flex h-9 items-center gap-2.5 rounded-control border border-muted/60 px-3 text-muted transition-colors hover:border-ink"
      >
        <Search aria-hidden="true" className="size-4 shrink-0" />
        <span className="flex-1 text-left">{t("search")}</span>
        <kbd className="font-sans text-caption">Ctrl K</kbd>
      </button>
      <div className="-mx-3 -my-1 min-h-0 flex-1 overflow-y-auto px-3 py-1">
        <Nav />
      </div>
      <div className="-mx-3 border-t px-3 pt-3">
        <Drop
          hint={t("person")}
          look={row}
          place="bottom-16 left-3"
          trigger={
            <>
              <UserRound aria-hidden="true" className="size-[18px] shrink-0 text-muted" strokeWidth={1.75} />
              <span className="grid min-w-0 flex-1">
                <span className="truncate font-medium">{user.name}</span>
                <span className="truncate text-caption text-muted">{user.email}</span>
              </span>
            </>
          }
        >
          <Preferences />
          <div className="mt-3 border-t pt-2">
            <SignOut />
          </div>
        </Drop>
      </div>
    </aside>
  );
}
