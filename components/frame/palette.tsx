"use client";
import { Command } from "cmdk";
import { AlarmClock, Search } from "lucide-react";
import { useRouter } from "next/navigation";
import { Dialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/account";
import { useItems } from "@/components/frame/nav";
import type { AccountPath } from "@/components/paths";
import { returnFocus } from "@/components/ui/focus";
import { useAccountPath } from "@/components/ui/link";

/** A keyboard menu that leads to every page and to a search over sales and subscriptions. */
export function Palette({ onClose }: { onClose: () => void }) {
  const t = useTranslations("palette");
  const nav = useTranslations("nav");
  const router = useRouter();
  const to = useAccountPath();
  const { scopes, features, account } = useSession();
  const items = useItems();
  const [text, setText] = useState("");
  const go = (path: AccountPath) => {
    onClose();
    router.push(to(path));
  };
  const query = text.trim();
  const mayRecur = scopes.includes("subscriptions:read") && features.includes("recurring");
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/45" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          className="enter fixed outline-none inset-x-4 top-[12dvh] z-40 mx-auto max-w-[560px] overflow-hidden rounded-card border bg-surface shadow-float"
        >
          <Dialog.Title className="sr-only">{t("title")}</Dialog.Title>
          <Command label={t("title")} loop>
            <Command.Input
              value={text}
              onValueChange={setText}
              placeholder={t("placeholder")}
              className="h-12 w-full border-b bg-transparent px-4 text-prose outline-none"
            />
            <Command.List className="max-h-[50dvh] overflow-y-auto p-2">
              <Command.Empty className="px-3 py-4 text-muted">{t("nothing")}</Command.Empty>
              {items.map(({ href, key, section, icon: Icon }) => (
                <Row key={key} onSelect={() => go(href)} icon={<Icon aria-hidden="true" className="size-4" />}>
                  {section ? t("inSection", { section: nav(section), page: nav(key) }) : nav(key)}
                </Row>
              ))}
              {account.mode === "sandbox" && scopes.includes("transactions:read") && (
                <Row onSelect={() => go("/clock")} icon={<AlarmClock aria-hidden="true" className="size-4" />}>
                  {t("clock")}
                </Row>
              )}
              {query && scopes.includes("transactions:read") && (
                <Row
                  onSelect={() => go(`/transactions?search=${encodeURIComponent(query)}`)}
                  icon={<Search aria-hidden="true" className="size-4" />}
                >
                  {t("searchSales", { text: query })}
                </Row>
              )}
              {query && mayRecur && (
                <Row
                  onSelect={() => go(`/subscriptions?search=${encodeURIComponent(query)}`)}
                  icon={<Search aria-hidden="true" className="size-4" />}
                >
                  {t("searchSubscriptions", { text: query })}
                </Row>
              )}
            </Command.List>
            <p className="flex flex-wrap gap-x-4 border-t px-4 py-2 text-caption text-muted">{t("keys")}</p>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Row({ onSelect, icon, children }: { onSelect: () => void; icon: ReactNode; children: ReactNode }) {
  return (
    <Command.Item
      onSelect={onSelect}
      className="flex h-10 cursor-pointer items-center gap-3 rounded-control px-3 [&_svg]:text-muted data-[selected=true]:bg-line/70"
    >
      {icon}
      <span className="truncate">{children}</span>
    </Command.Item>
  );
}
