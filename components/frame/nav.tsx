"use client";
import { clsx } from "clsx";
import {
  CreditCard,
  House,
  KeyRound,
  Link2,
  type LucideIcon,
  Package,
  Receipt,
  Repeat,
  Split,
  Users,
  Webhook,
} from "lucide-react";
import { usePathname } from "next/navigation";
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
  { href: "/splits", key: "splits", icon: Split, scope: "splits:read" },
  { href: "/products", key: "products", icon: Package, scope: "plans:read", feature: "recurring" },
  { href: "/subscriptions", key: "subscriptions", icon: Repeat, scope: "subscriptions:read", feature: "recurring" },
  { href: "/subscribers", key: "subscribers", icon: Users, scope: "subscriptions:read", feature: "recurring" },
  { href: "/credentials", key: "credentials", icon: KeyRound, scope: "credentials:read" },
  { href: "/public-key", key: "publicKey", icon: CreditCard, scope: "cards:read" },
  { href: "/webhooks", key: "webhooks", icon: Webhook, scope: "webhooks:read" },
];

/** The links to the pages that this person may see, for the sidebar, the sheet and the palette. */
export function useItems(): readonly Item[] {
  const { scopes, features } = useSession();
  return items.filter(({ scope, feature }) => scopes.includes(scope) && (!feature || features.includes(feature)));
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
  const allowed = useItems();
  const list = (part: readonly Item[]) => (
    <ul className="grid gap-0.5">
      {part.map((item) => (
        <li key={item.key}>
          <NavLink item={item} wide={wide} onNavigate={onNavigate} />
        </li>
      ))}
    </ul>
  );
  return (
    <nav aria-label={t("label")} className="grid gap-4">
      {list(allowed.filter(({ key }) => !grouped.some(([, keys]) => keys.has(key))))}
      {grouped.map(([name, keys]) => {
        const items = allowed.filter(({ key }) => keys.has(key));
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
