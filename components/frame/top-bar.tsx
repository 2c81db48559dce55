"use client";
import { Menu, Search } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { Logo } from "@/components/frame/logo";
import { openPalette } from "@/components/frame/palette-open";
import { Button } from "@/components/ui/button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { AccountLink } from "@/components/ui/link";

const Sheet = lazyWindow(() => import("@/components/frame/sheet").then(({ Sheet }) => Sheet));

/** The head of the frame on a phone, where the sidebar is a sheet. */
export function TopBar() {
  const t = useTranslations("nav");
  const [open, setOpen] = useState(false);
  return (
    <div className="flex h-14 items-center gap-1 border-b px-4 md:hidden">
      <AccountLink href="/home" className="mr-auto">
        <Logo />
      </AccountLink>
      <Button look="quiet" size="icon" className="size-11" aria-label={t("search")} onClick={openPalette}>
        <Search aria-hidden="true" />
      </Button>
      <Button look="quiet" size="icon" className="-mr-3 size-11" aria-label={t("menu")} onClick={() => setOpen(true)}>
        <Menu aria-hidden="true" />
      </Button>
      {open && <Sheet onClose={() => setOpen(false)} />}
    </div>
  );
}
