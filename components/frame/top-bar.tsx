"use client";
import { clsx } from "clsx";
import { Menu, Search } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { Logo } from "@/components/frame/logo";
import { useHere, useItems } from "@/components/frame/nav";
import { openPalette } from "@/components/frame/palette-open";
import { Button } from "@/components/ui/button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { AccountLink } from "@/components/ui/link";

const Sheet = lazyWindow(() => import("@/components/frame/sheet").then(({ Sheet }) => Sheet));

/** The head of the frame where the sidebar is a sheet, and on a phone the bar at its foot. */
export function TopBar() {
  const t = useTranslations("nav");
  const [open, setOpen] = useState(false);
  return (
    <>
      <div className="flex h-14 items-center gap-1 border-b px-4 lg:hidden print:hidden">
        <AccountLink href="/home" className="mr-auto">
          <Logo />
        </AccountLink>
        <Button
          look="quiet"
          size="icon"
          className="size-11 max-md:-mr-3"
          aria-label={t("search")}
          onClick={openPalette}
        >
          <Search aria-hidden="true" />
        </Button>
        <Button
          look="quiet"
          size="icon"
          className="-mr-3 size-11 max-md:hidden"
          aria-label={t("menu")}
          onClick={() => setOpen(true)}
        >
          <Menu aria-hidden="true" />
        </Button>
      </div>
      <PhoneBar onMore={() => setOpen(true)} />
      {open && <Sheet onClose={() => setOpen(false)} />}
    </>
  );
}

/** What a phone's bar has, each under the word of its section. */
const words = { home: "home", transactions: "sales", charge: "charge", statement: "money" } as const;

const look = "grid h-14 min-w-0 flex-1 place-items-center content-center gap-0.5 px-1 text-caption";

function PhoneBar({ onMore }: { onMore: () => void }) {
  const t = useTranslations("nav");
  const here = useHere();
  const items = useItems();
  return (
    <nav
      aria-label={t("bar")}
      className="fixed inset-x-0 bottom-0 z-30 flex border-t bg-ground pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
    >
      {items.map(({ key, href, icon: Icon }) => {
        if (!(key in words)) return null;
        const isHere = key === here;
        return (
          <AccountLink
            key={key}
            href={href}
            aria-current={isHere ? "page" : undefined}
            className={clsx(look, isHere ? "font-semibold text-accent" : "text-muted")}
          >
            <Icon aria-hidden="true" className="size-5" strokeWidth={1.75} />
            <span className="max-w-full truncate">{t(words[key as keyof typeof words])}</span>
          </AccountLink>
        );
      })}
      <button type="button" onClick={onMore} className={clsx(look, "text-muted")}>
        <Menu aria-hidden="true" className="size-5" strokeWidth={1.75} />
        <span>
          {t("more")}
          <span className="sr-only">: {t("menu")}</span>
        </span>
      </button>
    </nav>
  );
}
