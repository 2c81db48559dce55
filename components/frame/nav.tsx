"use client";
import { clsx } from "clsx";
import {
  CreditCard,
  House,
  KeyRound,
  Link2,
  Lock,
  type LucideIcon,
  Package,
  Receipt,
  Repeat,
  Split,
  Undo2,
  Users,
  Webhook,
} from "lucide-react";
import { usePathname } from "next/navigation";
import { useId } from "react";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/account";
import type { AccountPath } from "@/components/paths";
import { AccountLink } from "@/components/ui/link";
import type { Feature } from "@/lib/accounts/schema";
import type { Scope } from "@/lib/auth/scopes";

type Item = {
  href: AccountPath;
  key:
    | "home"
    | "transactions"
    | "paymentLinks"
    | "refunds"
    | "splits"
    | "products"
    | "subscriptions"
    | "subscribers"
    | "credentials"
    | "publicKey"
    | "webhooks";
  icon: LucideIcon;
  scope: Scope;
  feature?: Feature;
};

/** The links to every page. */
const items: readonly Item[] = [
  { href: "/home", key: "home", icon: House, scope: "balance:read" },
  { href: "/transactions", key: "transactions", icon: Receipt, scope: "transactions:read" },
  { href: "/payment-links", key: "paymentLinks", icon: Link2, scope: "transactions:read" },
  { href: "/refunds", key: "refunds", icon: Undo2, scope: "refunds:read", feature: "refunds" },
  { href: "/splits", key: "splits", icon: Split, scope: "splits:read" },
  { href: "/products", key: "products", icon: Package, scope: "plans:read", feature: "recurring" },
  { href: "/subscriptions", key: "subscriptions", icon: Repeat, scope: "subscriptions:read", feature: "recurring" },
  { href: "/subscribers", key: "subscribers", icon: Users, scope: "subscriptions:read", feature: "recurring" },
  { href: "/credentials", key: "credentials", icon: KeyRound, scope: "credentials:read" },
  { href: "/public-key", key: "publicKey", icon: CreditCard, scope: "cards:read" },
  { href: "/webhooks", key: "webhooks", icon: Webhook, scope: "webhooks:read" },
];

/** The links to the pages that this person may open, for the palette. */
export function useItems(): readonly Item[] {
  const { features } = useSession();
  return useShown().filter(({ feature }) => !feature || features.includes(feature));
}

/** The same with those of features that the account does not have: the menu says how to get them. */
function useShown(): readonly Item[] {
  const { scopes } = useSession();
  return items.filter(({ scope }) => scopes.includes(scope));
}

/** The items of pages whose addresses begin otherwise. */
const sectionsOf: Readonly<Record<string, Item["key"]>> = { charges: "transactions", invite: "splits" };

/** The groups below the first items, each under its word. */
const groups: Readonly<Record<"recurring" | "developers", ReadonlySet<Item["key"]>>> = {
  recurring: new Set(["products", "subscriptions", "subscribers"]),
  developers: new Set(["credentials", "publicKey", "webhooks"]),
};
const grouped = Object.entries(groups) as [keyof typeof groups, ReadonlySet<Item["key"]>][];

/** The sidebar's links. With `wide` they always have words; otherwise a narrow sidebar shows only icons. */
export function Nav({ wide = false, onNavigate }: { wide?: boolean; onNavigate?: () => void }) {
  const t = useTranslations("nav");
  const shown = useShown();
  const { features } = useSession();
  const list = (part: readonly Item[]) => (
    <ul className="grid gap-0.5">
      {part.map((item) => (
        <li key={item.key}>
          {!item.feature || features.includes(item.feature) ? (
            <NavLink item={item} wide={wide} onNavigate={onNavigate} />
          ) : (
            <OffItem item={item} feature={item.feature} wide={wide} />
          )}
        </li>
      ))}
    </ul>
  );
  return (
    <nav aria-label={t("label")} className="grid gap-4">
      {list(shown.filter(({ key }) => !grouped.some(([, keys]) => keys.has(key))))}
      {grouped.map(([name, keys]) => {
        const items = shown.filter(({ key }) => keys.has(key));
        return (
          items.length > 0 && (
            <div key={name} className="grid gap-1.5">
              <p className={clsx("px-3 text-caption text-muted", !wide && "max-lg:sr-only")}>{t(name)}</p>
              {list(items)}
            </div>
          )
        );
      })}
    </nav>
  );
}

/** A page of a feature that the account does not have; opened, it says how to get it. */
function OffItem({ item: { key, icon: Icon }, feature, wide }: { item: Item; feature: Feature; wide: boolean }) {
  const t = useTranslations("nav");
  const { account, modes } = useSession();
  const id = useId();
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        title={t("offNamed", { name: t(key) })}
        className={clsx(
          "flex h-9 w-full items-center gap-3 rounded-control px-3 text-left text-muted hover:bg-line/50",
          !wide && "max-lg:justify-center max-lg:px-0",
        )}
      >
        <Icon aria-hidden="true" className="size-[18px] shrink-0 opacity-55" strokeWidth={1.75} />
        <span className={clsx("flex-1", !wide && "max-lg:sr-only")}>{t(key)}</span>
        <Lock aria-hidden="true" className={clsx("size-3.5 shrink-0", !wide && "max-lg:hidden")} />
        <span className="sr-only">{t("off")}</span>
      </button>
      <div
        id={id}
        popover="auto"
        className={clsx(
          "enter fixed inset-auto top-24 left-3 m-0 w-[min(320px,calc(100vw-24px))] rounded-card border bg-surface p-4 text-ink shadow-float",
          !wide && "md:left-16 lg:left-[240px]",
        )}
      >
        <p className="mb-1 font-semibold">{t("offTitle", { name: t(key) })}</p>
        <p className="text-muted">{t(`howToGet.${feature}`)}</p>
        {account.mode === "live" && (
          <a
            href={`/${modes.sandbox}/home`}
            className="mt-3 inline-block font-medium text-accent underline underline-offset-4"
          >
            {t("tryInSandbox")}
          </a>
        )}
      </div>
    </>
  );
}

function NavLink({ item, wide, onNavigate }: { item: Item; wide: boolean; onNavigate: (() => void) | undefined }) {
  const t = useTranslations("nav");
  const [, , section] = usePathname().split("/");
  const { href, key, icon: Icon } = item;
  const here = href === `/${section}` || key === sectionsOf[section ?? ""];
  return (
    <AccountLink
      href={href}
      {...(onNavigate && { onClick: onNavigate })}
      aria-current={here ? "page" : undefined}
      title={t(key)}
      className={clsx(
        "relative flex h-9 items-center gap-3 rounded-control px-3 transition-colors duration-150",
        "before:absolute before:inset-y-2 before:-left-3 before:w-0.5 before:rounded-full",
        here ? "font-semibold before:bg-accent" : "text-muted hover:bg-line/50 hover:text-ink",
        !wide && "max-lg:justify-center max-lg:px-0",
      )}
    >
      <Icon aria-hidden="true" className={clsx("size-[18px] shrink-0", here && "text-accent")} strokeWidth={1.75} />
      <span className={clsx(!wide && "max-lg:sr-only")}>{t(key)}</span>
    </AccountLink>
  );
}
